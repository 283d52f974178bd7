const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

export function failsCsrfCheck(request: Request, siteUrl: string | undefined): boolean {
  return !safeMethods.includes(request.method) && isCrossSite(request, siteUrl);
}

/** A client that sends neither header is not a browser, so a visitor's session cannot be abused. */
export function isCrossSite(request: Request, siteUrl: string | undefined): boolean {
  const fetchSite = request.headers.get('sec-fetch-site');
  if (fetchSite) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  const origin = request.headers.get('origin');
  if (!origin) return false;
  if (siteUrl) return origin !== siteUrl;
  // Without SITE_URL the scheme is unknown behind a proxy; the host is the visitor's either way.
  return URL.parse(origin)?.host !== new URL(request.url).host;
}
