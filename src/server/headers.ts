import { reportsPath } from '../api/contract.ts';

/** The headers of every answer, by what is answered. The one place where a policy is written down. */

export type HeaderTable = Record<string, string>;

export type HeaderSettings = {
  /** Where else pages may connect to: the services that the browser posts to itself, where there is no server. */
  connectOrigins?: string[];
  /** The digests of the style sheets that stand in what is answered. */
  styles?: string[];
  /** For how much of its domain the site promises to be reached by HTTPS alone; unset where it is not. */
  hsts?: Hsts;
  /** Where browsers tell of what they stopped; unset where there is no server to tell. */
  reportsPath?: string;
};

export const hstsReaches = ['host', 'subdomains', 'preload'] as const;
export type Hsts = (typeof hstsReaches)[number];

/**
 * `shared`: pictures and icons, which other sites, mails and feed readers may show. `picture`: the same of posts, under names that never
 * mean another. `feed`: which they may also read.
 */
export type AnswerKind = 'page' | 'not-found' | 'hashed' | 'plain' | 'shared' | 'picture' | 'feed' | 'api';

/** What browsers may fetch ahead of a click: in a file, because the policy allows no script within a page. */
export const speculationRulesPath = '/pages.speculationrules';

export function headersFor(kind: AnswerKind, settings: HeaderSettings = {}): HeaderTable {
  return {
    'Content-Security-Policy': policyFor(settings),
    ...(settings.reportsPath && { 'Reporting-Endpoints': `site="${settings.reportsPath}"` }),
    ...everywhere,
    ...(isPage(kind) && { 'Speculation-Rules': `"${speculationRulesPath}"` }),
    'Cross-Origin-Resource-Policy': isForOthers(kind) ? 'cross-origin' : 'same-origin',
    ...(kind === 'feed' && { 'Access-Control-Allow-Origin': '*' }),
    ...(settings.hsts && { 'Strict-Transport-Security': promises[settings.hsts] }),
    'Cache-Control': caching[kind],
  };
}

function isForOthers(kind: AnswerKind): boolean {
  return kind === 'shared' || kind === 'picture' || kind === 'feed';
}

function isPage(kind: AnswerKind): boolean {
  return kind === 'page' || kind === 'not-found';
}

/** What the settings of the site make of its headers. */
export function headerSettings(config: {
  siteUrl?: string | undefined;
  hsts?: Hsts;
  contactEndpoint?: string | undefined;
  newsletterEndpoint?: string | undefined;
}): HeaderSettings {
  const endpoints = [config.contactEndpoint, config.newsletterEndpoint].filter(found => found !== undefined);
  return {
    connectOrigins: [...new Set(endpoints.map(endpoint => new URL(endpoint).origin))],
    ...(config.siteUrl?.startsWith('https:') && { hsts: config.hsts ?? 'host' }),
    ...(!config.contactEndpoint && { reportsPath }),
  };
}

function policyFor({ connectOrigins = [], styles = [], reportsPath }: HeaderSettings): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles.map(digest => `'${digest}'`)].join(' '),
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    ["connect-src 'self'", ...connectOrigins].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    // The second for browsers that know only that.
    ...(reportsPath ? ['report-to site', `report-uri ${reportsPath}`] : []),
  ].join('; ');
}

/** What a page could ask a browser for, and ours never do. */
const unused = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

const everywhere: HeaderTable = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': unused.map(feature => `${feature}=()`).join(', '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Two years, as the lists of browsers ask for. */
const twoYears = 'max-age=63072000';
const promises: Record<Hsts, string> = {
  host: twoYears,
  subdomains: `${twoYears}; includeSubDomains`,
  preload: `${twoYears}; includeSubDomains; preload`,
};

const caching: Record<AnswerKind, string> = {
  page: 'no-cache',
  'not-found': 'no-cache',
  hashed: 'public, max-age=31536000, immutable',
  plain: 'public, max-age=3600',
  shared: 'public, max-age=3600',
  picture: 'public, max-age=31536000, immutable',
  feed: 'public, max-age=3600',
  api: 'no-store',
};
