import type { Hosting } from '../content/hosting.ts';
import { writePeriod } from '../lib/periods.ts';
import { type Config, defaultKeep } from '../server/config.ts';
import type { PageSettings } from '../site/page-settings.ts';

/** What of the configuration a build depends on. */
export type BuildConfig = Pick<Config, 'siteUrl'> &
  Partial<Pick<Config, 'hsts' | 'contactEndpoint' | 'newsletterEndpoint' | 'keep' | 'countsViews'>>;

export function pageSettings(config: BuildConfig): PageSettings {
  const { messagesDays, quarantineDays } = config.keep ?? defaultKeep;
  return {
    SITE_URL: config.siteUrl ?? '',
    CONTACT_ENDPOINT: config.contactEndpoint ?? '',
    NEWSLETTER_ENDPOINT: config.newsletterEndpoint ?? '',
    KEEP_MESSAGES_DAYS: String(messagesDays),
    KEEP_QUARANTINE_DAYS: String(quarantineDays),
    VIEWS: (config.countsViews ?? true) ? 'on' : 'off',
  };
}

export const noSettings = pageSettings({ siteUrl: undefined });

/** What the words must know of it. */
export function hostingOf({ CONTACT_ENDPOINT, NEWSLETTER_ENDPOINT, VIEWS, ...keep }: PageSettings): Hosting {
  const [messages, quarantine] = [Number(keep.KEEP_MESSAGES_DAYS), Number(keep.KEEP_QUARANTINE_DAYS)];
  return {
    ...(CONTACT_ENDPOINT ? { contactHost: new URL(CONTACT_ENDPOINT).host } : {}),
    ...(NEWSLETTER_ENDPOINT ? { newsletterHost: new URL(NEWSLETTER_ENDPOINT).host } : {}),
    ...(messages > 0 ? { keepMessages: writePeriod(messages) } : {}),
    ...(quarantine > 0 ? { keepQuarantine: writePeriod(quarantine) } : {}),
    countsViews: VIEWS === 'on',
  };
}
