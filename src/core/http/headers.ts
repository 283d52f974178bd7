import { contentSecurityPolicy, type PolicySettings } from './content-security-policy.ts';

export type HeaderTable = Record<string, string>;

export type HeaderSettings = PolicySettings & {
  hsts?: Hsts;
};

export const hstsScopes = ['host', 'subdomains', 'preload'] as const;
export type Hsts = (typeof hstsScopes)[number];

// `shared`: images that other sites, mails and feed readers may show. `picture`: images of posts, which never change
// under a name. `feed`: other sites may read it, too.
export type ResponseKind = 'page' | 'not-found' | 'hashed' | 'plain' | 'shared' | 'picture' | 'feed' | 'api';

/** A file, because the policy allows no script within a page. */
export const speculationRulesPath = '/pages.speculationrules';

export function headersFor(kind: ResponseKind, settings: HeaderSettings = {}): HeaderTable {
  const isPage = kind === 'page' || kind === 'not-found';
  const isCrossOrigin = kind === 'shared' || kind === 'picture' || kind === 'feed';
  return {
    'Content-Security-Policy': contentSecurityPolicy(settings),
    ...commonHeaders,
    ...(isPage && { 'Speculation-Rules': `"${speculationRulesPath}"` }),
    'Cross-Origin-Resource-Policy': isCrossOrigin ? 'cross-origin' : 'same-origin',
    ...(kind === 'feed' && { 'Access-Control-Allow-Origin': '*' }),
    ...(settings.hsts && { 'Strict-Transport-Security': hstsValues[settings.hsts] }),
    'Cache-Control': cacheControl[kind],
  };
}

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
  };
}

const disabledFeatures = [
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

const commonHeaders: HeaderTable = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': disabledFeatures.map(feature => `${feature}=()`).join(', '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const twoYears = 'max-age=63072000';
const hstsValues: Record<Hsts, string> = {
  host: twoYears,
  subdomains: `${twoYears}; includeSubDomains`,
  preload: `${twoYears}; includeSubDomains; preload`,
};

const cacheControl: Record<ResponseKind, string> = {
  page: 'no-cache',
  'not-found': 'no-cache',
  hashed: 'public, max-age=31536000, immutable',
  plain: 'public, max-age=3600',
  shared: 'public, max-age=3600',
  picture: 'public, max-age=31536000, immutable',
  feed: 'public, max-age=3600',
  api: 'no-store',
};
