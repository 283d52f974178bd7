import type { Config } from '../server/config.ts';
import type { PageSettings } from '../site/page-settings.ts';

export function pageSettings(config: Pick<Config, 'siteUrl'>): PageSettings {
  return { SITE_URL: config.siteUrl ?? '' };
}

export const noSettings = pageSettings({ siteUrl: undefined });
