import type { Config } from '../server/config.ts';
import type { PageSettings } from '../site/page-settings.ts';

/** What of the configuration a build depends on. */
export type BuildConfig = Pick<Config, 'siteUrl'> &
  Partial<Pick<Config, 'contactEndpoint' | 'newsletterEndpoint'>>;

export function pageSettings(config: BuildConfig): PageSettings {
  return {
    SITE_URL: config.siteUrl ?? '',
    CONTACT_ENDPOINT: config.contactEndpoint ?? '',
    NEWSLETTER_ENDPOINT: config.newsletterEndpoint ?? '',
  };
}

export const noSettings = pageSettings({ siteUrl: undefined });
