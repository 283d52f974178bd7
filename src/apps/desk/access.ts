import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

export type Access = ReturnType<typeof createAccess>;

/** Who may use the desk: the browser that opened the last link. Kept in memory, so that sessions end with the process. */
export function createAccess() {
  const cookie = 'desk';
  // A browser sends a cookie to every port of a host, but only to requests below its path: no other port knows this one.
  const prefix = `/${createToken()}`;
  const sessions = new Set<string>();
  let link = '';

  return {
    prefix,
    /** The token of a link that signs in once. An earlier link becomes invalid. */
    createLink(): string {
      const token = createToken();
      link = hash(token);
      return token;
    },
    signIn(context: Context, token: string): boolean {
      if (link === '' || hash(token) !== link) return false;
      link = '';
      const session = createToken();
      sessions.add(hash(session));
      setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict', path: `${prefix}/` });
      return true;
    },
    isSignedIn(context: Context): boolean {
      return sessions.has(hash(getCookie(context, cookie) ?? ''));
    },
  };
}

/** Against DNS rebinding: another name that resolves to this machine is not this machine. Any port, for tunnels. */
export function isLocalHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?$/i.test(host ?? '');
}

/** Of other origins (another port of this machine is one) only a link to a page is followed. */
export function isAllowedOrigin(request: Request): boolean {
  const { method, headers } = request;
  const site = headers.get('sec-fetch-site');
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead) {
    const isOpened =
      headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
    return site === null || site === 'same-origin' || site === 'none' || isOpened;
  }
  if (site !== null) return site === 'same-origin';
  const origin = URL.parse(headers.get('origin') ?? '');
  return origin !== null && origin.host === headers.get('host');
}

function createToken(): string {
  return randomBytes(32).toString('base64url');
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
