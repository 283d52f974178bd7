import { bouncesPath, reportsPath, stepPaths } from '../contract.ts';

/**
 * What any site, and any program, may post to: each brings its own authority along, and none has a visitor's. The links of
 * our letters are opened from every kind of mail program (RFC 8058 for the one that leaves), the mail provider signs, and
 * reports of browsers come without a word about who sends them.
 */
export const openToAll: readonly string[] = [stepPaths.confirm, stepPaths.leave, bouncesPath, reportsPath];

/** Reading changes nothing here. */
const readers = ['GET', 'HEAD', 'OPTIONS'];

export function isForeignPost(request: Request, path: string, siteUrl: string | undefined): boolean {
  return !readers.includes(request.method) && !openToAll.includes(path) && isCrossSite(request, siteUrl);
}

/**
 * Refuses posts that another site made a visitor's browser send. Browsers say so in Sec-Fetch-Site; one that does not
 * sends Origin, which must be our own. A client that sends neither is no browser and carries nobody's authority.
 */
export function isCrossSite(request: Request, siteUrl: string | undefined): boolean {
  const fetchSite = request.headers.get('sec-fetch-site');
  if (fetchSite) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  const origin = request.headers.get('origin');
  if (!origin) return false;
  if (siteUrl) return origin !== siteUrl;
  // Without a public address nobody knows whether a proxy speaks HTTPS for us; the host is the visitor's either way.
  return URL.parse(origin)?.host !== new URL(request.url).host;
}
