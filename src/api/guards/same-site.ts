import { bouncesPath, stepPaths } from '../contract.ts';

/** Each of these carries its own authority: the token, the key (RFC 8058), the provider's signature. */
export const openToAll: readonly string[] = [stepPaths.confirm, stepPaths.leave, bouncesPath];

const readers = ['GET', 'HEAD', 'OPTIONS'];

export function isForeignPost(request: Request, path: string, siteUrl: string | undefined): boolean {
  return !readers.includes(request.method) && !openToAll.includes(path) && isCrossSite(request, siteUrl);
}

/** CSRF protection by Sec-Fetch-Site, else Origin. A client that sends neither is no browser with a visitor's authority. */
export function isCrossSite(request: Request, siteUrl: string | undefined): boolean {
  const fetchSite = request.headers.get('sec-fetch-site');
  if (fetchSite) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  const origin = request.headers.get('origin');
  if (!origin) return false;
  if (siteUrl) return origin !== siteUrl;
  // Without SITE_URL the scheme is unknown behind a proxy; the host is the visitor's either way.
  return URL.parse(origin)?.host !== new URL(request.url).host;
}
