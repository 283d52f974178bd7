import type { Hosting } from '../../core/content/hosting.ts';
import type { BlogView } from '../../features/blog/blog-types.ts';
import { formatPeriod } from '../../lib/format-period.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import {
  auditPaths,
  feedPaths,
  newsletterPaths,
  type PageName,
  pageAt,
  pageNames,
  paths,
} from '../../ui/paths.ts';
import { type Config, defaultRetention } from '../server/config.ts';

export type BuildConfig = Pick<Config, 'siteUrl'> &
  Partial<Pick<Config, 'hsts' | 'contactEndpoint' | 'newsletterEndpoint' | 'retention'>> & {
    audit?: Pick<Config['audit'], 'isOn'>;
  };

export function pageSettings(config: BuildConfig): PageSettings {
  const { messagesDays, quarantineDays } = config.retention ?? defaultRetention;
  return {
    SITE_URL: config.siteUrl ?? '',
    CONTACT_ENDPOINT: config.contactEndpoint ?? '',
    NEWSLETTER_ENDPOINT: config.newsletterEndpoint ?? '',
    KEEP_MESSAGES_DAYS: String(messagesDays),
    KEEP_QUARANTINE_DAYS: String(quarantineDays),
    AUDIT: config.audit?.isOn === false ? 'off' : '',
  };
}

export const defaultPageSettings = pageSettings({ siteUrl: undefined });

export function getHosting({ CONTACT_ENDPOINT, NEWSLETTER_ENDPOINT, AUDIT, ...keep }: PageSettings): Hosting {
  const [messages, quarantine] = [Number(keep.KEEP_MESSAGES_DAYS), Number(keep.KEEP_QUARANTINE_DAYS)];
  return {
    ...(CONTACT_ENDPOINT ? { contactHost: new URL(CONTACT_ENDPOINT).host } : {}),
    ...(NEWSLETTER_ENDPOINT ? { newsletterHost: new URL(NEWSLETTER_ENDPOINT).host } : {}),
    ...(messages > 0 ? { keepMessages: formatPeriod(messages) } : {}),
    ...(quarantine > 0 ? { keepQuarantine: formatPeriod(quarantine) } : {}),
    ...(AUDIT === 'off' ? { audit: AUDIT } : {}),
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

/** `indexed` lacks what search engines are not told of for a reason in the settings. */
export type PageList = { names: PageName[]; paths: string[]; indexed: string[] };

export const textFiles: string[] = [...Object.values(feedPaths), '/llms.txt'];

/** Pages that need our own server: a static site can neither confirm an address nor look at a domain. */
const serverPages: PageName[] = ['newsletter', 'audit', 'audit-about', 'audit-report'];

export function listPages({ CONTACT_ENDPOINT, AUDIT }: PageSettings, views: BlogView[] = []): PageList {
  const all = [
    ...Object.values(paths),
    ...views.map(({ path }) => path),
    ...Object.values(newsletterPaths),
    auditPaths.report,
  ];
  const isBuilt = (name: PageName) => !CONTACT_ENDPOINT || !serverPages.includes(name);
  const built = [...new Set<string>(all)].filter(path => isBuilt(pageAt(path) ?? 'not-found'));
  return {
    names: pageNames.filter(isBuilt),
    paths: built,
    // Switched off, the page says no more than that.
    indexed: built.filter(path => AUDIT !== 'off' || path !== paths.audit),
  };
}
