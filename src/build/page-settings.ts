import { type Config, defaultKeep } from '../server/config.ts';
import type { PageSettings } from '../site/page-settings.ts';

/** What of the configuration a build depends on. */
export type BuildConfig = Pick<Config, 'siteUrl'> &
  Partial<Pick<Config, 'hsts' | 'contactEndpoint' | 'newsletterEndpoint' | 'keep'>>;

export function pageSettings(config: BuildConfig): PageSettings {
  const { messagesDays, quarantineDays } = config.keep ?? defaultKeep;
  return {
    SITE_URL: config.siteUrl ?? '',
    CONTACT_ENDPOINT: config.contactEndpoint ?? '',
    NEWSLETTER_ENDPOINT: config.newsletterEndpoint ?? '',
    KEEP_MESSAGES_DAYS: String(messagesDays),
    KEEP_QUARANTINE_DAYS: String(quarantineDays),
  };
}

export const noSettings = pageSettings({ siteUrl: undefined });
