export function requireSiteUrl({ siteUrl }: { siteUrl?: string | undefined }): URL {
  const url = URL.parse(siteUrl ?? '');
  if (!url) throw new Error('SITE_URL is not set');
  if (url.protocol !== 'https:') throw new Error('SITE_URL does not begin with https://');
  return url;
}
