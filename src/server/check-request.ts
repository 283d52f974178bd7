import type { IncomingMessage } from 'node:http';

/** What a request is refused with before anybody looks at what it asks for. */
export type Refusal = 400 | 421 | 431;

export type RequestCheck = (request: IncomingMessage) => Refusal | undefined;

/** Browsers and proxies together send a third of it. Node drops what is beyond its own limit without a word. */
export const mostHeaders = 100;

/** Whoever watches the process asks it by whatever name or number they have for it. */
export const healthPath = /^\/(healthz|readyz)(\?|$)/;

/**
 * One Host that can be one, an address that fits it, and, where the site has a public name, that name. Accepts what a
 * proxy sees as the absolute form of an address, and shortens it for those who come after.
 */
export function createRequestCheck(siteUrl: string | undefined, onStranger?: () => void): RequestCheck {
  const ours = siteUrl === undefined ? undefined : new URL(siteUrl).hostname;
  // Visitors name one host, or two: what was found good once is not taken apart again.
  const known = new Set<string>();

  function isHost(host: string): boolean {
    if (known.has(host)) return true;
    if (!hostShape.test(host)) return false;
    if (known.size < 100) known.add(host);
    return true;
  }

  function isOurs(host: string): boolean {
    return host === ours || host.toLowerCase().replace(/\.?(:\d*)?$/, '') === ours;
  }

  return request => {
    const { rawHeaders } = request;
    if (request.httpVersionMajor !== 1) return 400;
    if (rawHeaders.length > 2 * mostHeaders) return 431;
    // Packed on its way, a body is not what we would take it for.
    const coding = request.headers['transfer-encoding'];
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 400;
    let host: string | undefined;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] as string;
      if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
      if (host !== undefined) return 400;
      host = rawHeaders[at + 1];
    }
    const { url = '/' } = request;
    const isHealth = healthPath.test(url);
    if (url.charCodeAt(0) !== slash) {
      const [, authority = '', path = ''] = absoluteForm.exec(url) ?? [];
      if (!authority || authority.toLowerCase() !== (host ?? authority).toLowerCase()) return 400;
      host = authority;
      request.url = path.startsWith('/') ? path : `/${path}`;
    }
    if (host === undefined && request.httpVersionMinor > 0) return 400;
    // Old load balancers name no host at all, or an empty one.
    if (host ? !isHost(host) : host === '' && !isHealth) return 400;
    if (ours === undefined || isHealth || isOurs(host ?? '')) return undefined;
    onStranger?.();
    return 421;
  };
}

const slash = 47;
const absoluteForm = /^https?:\/\/([^/?#]+)([^#]*)$/i;
const hostShape = /^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{0,5})?$/i;
