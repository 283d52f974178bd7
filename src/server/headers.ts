/** The headers of every answer, by what is answered. The one place where a policy is written down. */

const csp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export type HeaderTable = Record<string, string>;

const everywhere: HeaderTable = {
  'Content-Security-Policy': csp,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export type AnswerKind = 'page' | 'not-found' | 'hashed' | 'plain' | 'api';

const caching: Record<AnswerKind, string> = {
  page: 'no-cache',
  'not-found': 'no-cache',
  hashed: 'public, max-age=31536000, immutable',
  plain: 'public, max-age=3600',
  api: 'no-store',
};

export function headersFor(kind: AnswerKind): HeaderTable {
  return { ...everywhere, 'Cache-Control': caching[kind] };
}
