import type { Hosting } from '../../core/content/hosting.ts';
import type { ListPagePaths } from '../../core/content/page-view.ts';
import { listSwitchedOff } from '../../core/content/switches.ts';
import { securityTxtPath } from '../../core/http/check-security-txt.ts';
import type { CoreConfig } from '../../core/settings/core-settings.ts';
import { defaultRetention } from '../../core/settings/server-settings.ts';
import { formatPeriod } from '../../lib/format-period.ts';
import type { Page } from '../../ui/page.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { isOn, listFiles, listSitePages } from './site-parts.ts';

export type BuildConfig = Pick<CoreConfig, 'siteUrl'> &
  Partial<Pick<CoreConfig, 'hsts' | 'contactEndpoint' | 'newsletterEndpoint' | 'retention'>> & {
    audit?: { isOn: boolean };
  };

/** `content`: the folder that says which features are switched off. */
export function pageSettings(config: BuildConfig, content?: string): PageSettings {
  const { messagesDays, quarantineDays } = config.retention ?? defaultRetention;
  return {
    SITE_URL: config.siteUrl ?? '',
    CONTACT_ENDPOINT: config.contactEndpoint ?? '',
    NEWSLETTER_ENDPOINT: config.newsletterEndpoint ?? '',
    KEEP_MESSAGES_DAYS: String(messagesDays),
    KEEP_QUARANTINE_DAYS: String(quarantineDays),
    AUDIT: config.audit?.isOn === false ? 'off' : '',
    OFF: content ? listSwitchedOff(content).toSorted().join(' ') : '',
  };
}

export const defaultPageSettings = pageSettings({ siteUrl: undefined });

export function getHosting(settings: PageSettings): Hosting {
  const { CONTACT_ENDPOINT, NEWSLETTER_ENDPOINT, AUDIT, ...keep } = settings;
  const [messages, quarantine] = [Number(keep.KEEP_MESSAGES_DAYS), Number(keep.KEEP_QUARANTINE_DAYS)];
  return {
    ...(CONTACT_ENDPOINT ? { contactHost: new URL(CONTACT_ENDPOINT).host } : {}),
    ...(NEWSLETTER_ENDPOINT ? { newsletterHost: new URL(NEWSLETTER_ENDPOINT).host } : {}),
    ...(messages > 0 ? { keepMessages: formatPeriod(messages) } : {}),
    ...(quarantine > 0 ? { keepQuarantine: formatPeriod(quarantine) } : {}),
    ...(AUDIT === 'off' || !isOn(settings, 'audit') ? { audit: 'off' } : {}),
  };
}

export function findUnsupportedEndpoints({ CONTACT_ENDPOINT, NEWSLETTER_ENDPOINT }: PageSettings): string[] {
  return Object.entries({ CONTACT_ENDPOINT, NEWSLETTER_ENDPOINT })
    .filter(([, endpoint]) => endpoint && new URL(endpoint).hostname === 'script.google.com')
    .map(
      ([name]) =>
        `${name} is a Google Apps Script: it permits no JSON from another site and answers from an origin that the ` +
        'pages may not reach. Use it as SHEET_URL with the server, or another service here.',
    );
}

/** `indexed` lacks what search engines are not told of. */
export type PageList = { paths: string[]; indexed: string[] };

export const textFiles: string[] = [...listFiles(), '/llms.txt'];

export function listPages(settings: PageSettings, views: readonly { path: string }[] = []): PageList {
  const pages = listSitePages(settings);
  const indexed = pages.filter(page => page.indexed && !page.indexed.isOff?.(settings));
  const ofViews = views.map(({ path }) => path);
  return {
    paths: [...new Set([...pages.flatMap(listOwnPaths), ...ofViews])],
    indexed: [...new Set([...indexed.flatMap(listOwnPaths), ...ofViews])],
  };
}

export const listPagePaths: ListPagePaths = views => [
  ...listPages(defaultPageSettings, views).paths,
  ...[...textFiles, securityTxtPath, '/third-party-notices.txt'],
];

function listOwnPaths({ paths }: Page): string[] {
  return paths.filter(path => !path.endsWith('/*'));
}
