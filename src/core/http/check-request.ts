import type { IncomingMessage } from 'node:http';

/** Browsers and proxies together send a third of this number. Node drops headers beyond its own limit silently. */
export const maxHeaders = 100;

export const healthPath = /^\/(healthz|readyz)(\?|$)/;

export function createRequestCheck(siteUrl: string | undefined, onUnknownHost?: () => void) {
  const ownHost = siteUrl === undefined ? undefined : new URL(siteUrl).hostname;
  function isOwnHost(host: string, { headers }: IncomingMessage): boolean {
    if (host === ownHost) return true;
    const name = host.toLowerCase().replace(/\.?(:\d*)?$/, '');
    if (name === ownHost) return true;
    // The owner opens the printed address on the same machine. Through a proxy, such a Host is the proxy's own.
    return localHosts.has(name) && forwardingHeaders.every(header => headers[header] === undefined);
  }

  return (request: IncomingMessage): number | undefined => {
    const { rawHeaders } = request;
    if (request.httpVersionMajor !== 1) return 400;
    if (rawHeaders.length > 2 * maxHeaders) return 431;
    // A compressed body would be read without being decompressed.
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
    if (host ? !hostShape.test(host) : host === '' && !isHealth) return 400;
    if (ownHost === undefined || isHealth || isOwnHost(host ?? '', request)) return undefined;
    onUnknownHost?.();
    return 421;
  };
}

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'via'];

const slash = 47;
const absoluteForm = /^https?:\/\/([^/?#]+)([^#]*)$/i;
const hostShape = /^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{0,5})?$/i;
