/** The headers of every answer, by what is answered. The one place where a policy is written down. */

export type HeaderTable = Record<string, string>;

/** Where else pages may connect to: the services that the browser posts to itself, where there is no server. */
export type Reach = { connectOrigins?: string[] };

export type AnswerKind = 'page' | 'not-found' | 'hashed' | 'plain' | 'api';

export function headersFor(kind: AnswerKind, reach: Reach = {}): HeaderTable {
  return { 'Content-Security-Policy': policyFor(reach), ...everywhere, 'Cache-Control': caching[kind] };
}

/** What the settings of a static site allow its pages; nothing elsewhere. */
export function reachOf(config: {
  contactEndpoint?: string | undefined;
  newsletterEndpoint?: string | undefined;
}): Reach {
  const endpoints = [config.contactEndpoint, config.newsletterEndpoint].filter(found => found !== undefined);
  return { connectOrigins: [...new Set(endpoints.map(endpoint => new URL(endpoint).origin))] };
}

function policyFor({ connectOrigins = [] }: Reach): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    ["connect-src 'self'", ...connectOrigins].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

const everywhere: HeaderTable = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const caching: Record<AnswerKind, string> = {
  page: 'no-cache',
  'not-found': 'no-cache',
  hashed: 'public, max-age=31536000, immutable',
  plain: 'public, max-age=3600',
  api: 'no-store',
};
