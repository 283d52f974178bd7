import type { IndexedPage } from './indexed-pages.ts';

export function renderSitemap(pages: IndexedPage[], siteUrl: string): string {
  const entries = pages.map(({ path, updated }) => {
    const changed = updated ? `<lastmod>${updated}</lastmod>` : '';
    return `<url><loc>${siteUrl}${path}</loc>${changed}</url>\n`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
    ...entries,
    '</urlset>\n',
  ].join('');
}

/** Crawlers must read a noindex page to see the tag, so only the API is disallowed. */
export function formatRobots(siteUrl: string | undefined): string {
  const sitemap = siteUrl ? `\nSitemap: ${siteUrl}/sitemap.xml\n` : '';
  return `User-agent: *\nDisallow: /api/\n${sitemap}`;
}
