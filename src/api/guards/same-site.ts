/**
 * Refuses posts that another site made a visitor's browser send. Browsers say so in Sec-Fetch-Site; one that does not
 * sends Origin, which must be our own. A client that sends neither is no browser and carries nobody's authority.
 */
export function isCrossSite(request: Request, siteUrl: string | undefined): boolean {
  const fetchSite = request.headers.get('sec-fetch-site');
  if (fetchSite) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  const origin = request.headers.get('origin');
  if (!origin) return false;
  return origin !== (siteUrl ?? new URL(request.url).origin);
}
