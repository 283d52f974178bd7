import { createHash } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { escapeHtml } from '../../lib/escape-html.ts';
import { type HeaderSettings, type HeaderTable, headersFor } from './headers.ts';

export type ErrorResponse = { headers: HeaderTable; body: string };

/** A problem document (RFC 9457) for a request that reaches neither a page nor the API. */
export function buildErrorResponse(status: number, common: HeaderTable, reason?: string): ErrorResponse {
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, reason });
  return withBody(common, 'application/problem+json', body);
}

export function formatErrorResponse(status: number, common: HeaderTable): string {
  const { headers, body } = buildErrorResponse(status, common);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** 421 explains itself: the owner sees it when SITE_URL is wrong, or when a proxy does not pass Host on. */
export function buildWrongHostResponse(
  { headers: { host, accept }, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>,
  siteUrl: string,
  settings: HeaderSettings,
): ErrorResponse {
  const asked = host ? `the host '${host}'` : `no host (HTTP ${httpVersion})`;
  const expected = new URL(siteUrl).host;
  if (!accept?.includes('text/html')) {
    const reason = `the request names ${asked}, and this server answers for '${expected}', its SITE_URL`;
    return buildErrorResponse(421, headersFor('api', settings), reason);
  }
  const body = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Wrong address</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
<body><main><h1>There is no website at this address</h1>
<p>Your browser asked for ${escapeHtml(asked)}. This server answers for <a href="${siteUrl}">${escapeHtml(expected)}</a>.</p>
<h2>If you look after this site</h2>
<ul><li>If <strong>${escapeHtml(expected)}</strong> is not its address: set <code>SITE_URL</code> to the address that visitors type, restart the
server and run <code>npm run publish-site</code>.</li>
<li>If it is: make the proxy in front pass the visitor’s <code>Host</code> on. docs/engineer/deploy.md says how.</li>
<li>On the machine itself, the site also answers to <strong>localhost</strong>.</li></ul></main></body></html>
`;
  return withBody(headersFor('api', { ...settings, styles: [styleHash] }), 'text/html; charset=utf-8', body);
}

const style = `:root { color-scheme: light dark } body { margin: 0; font: 1.0625rem/1.6 system-ui, sans-serif }
main { max-width: 40rem; margin: 0 auto; padding: 4rem 1.25rem } h1 { font-size: 1.75rem; line-height: 1.2 }
h2 { margin-top: 2.5rem; font-size: 1.125rem } ul { padding-left: 1.25rem } li { margin: .5rem 0 }
strong, code { overflow-wrap: anywhere }`;
const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

function withBody(common: HeaderTable, type: string, body: string): ErrorResponse {
  const length = String(Buffer.byteLength(body));
  return {
    headers: { ...common, 'Content-Type': type, 'Content-Length': length, Connection: 'close' },
    body,
  };
}
