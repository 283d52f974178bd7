import type { WrittenPage } from '../check-links.ts';
import { listElements } from '../parse-html.ts';

/** Search engines report pages that are in the sitemap and ask not to be indexed, or the reverse. */
export function findIndexingErrors(pages: WrittenPage[], listed: string[]): string[] {
  const known = new Set(listed);
  return pages.flatMap(({ path, html }) => {
    const isListed = known.has(path);
    if (isListed && hasNoindex(html))
      return [`${path} is in the sitemap, and its robots tag says noindex: remove one of them`];
    if (!isListed && !hasNoindex(html))
      return [`${path} is not in the sitemap, and has no robots tag that says noindex`];
    return [];
  });
}

/** Robots tags count only in the head, and parsing hundreds of whole posts is slow. */
function hasNoindex(html: string): boolean {
  return listElements(html.split('</head>', 1)[0] ?? '').some(
    ({ attributes }) =>
      /^(robots|googlebot)$/i.test(attributes.get('name') ?? '') &&
      /\b(noindex|none)\b/i.test(attributes.get('content') ?? ''),
  );
}
