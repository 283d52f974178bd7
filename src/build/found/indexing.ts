import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { WrittenPage } from '../links.ts';

/** Pages that the sitemap names and that ask not to be found, or the other way round: search engines take such a site for broken. */
export function findIndexFaults(pages: WrittenPage[], listed: string[]): string[] {
  const known = new Set(listed);
  return pages.flatMap(({ path, html }) => {
    const isListed = known.has(path);
    if (isListed && asksForNone(html))
      return [`${path} is in the sitemap, and its robots tag says noindex: take one of them away`];
    if (!isListed && !asksForNone(html))
      return [`${path} is not in the sitemap, and has no robots tag that says noindex`];
    return [];
  });
}

function asksForNone(html: string): boolean {
  let isAsked = false;
  (function visit(node: DefaultTreeAdapterTypes.Node) {
    const attributes = new Map('attrs' in node ? node.attrs.map(({ name, value }) => [name, value]) : []);
    if (/^(robots|googlebot)$/i.test(attributes.get('name') ?? '') && 'tagName' in node)
      isAsked ||= /\b(noindex|none)\b/i.test(attributes.get('content') ?? '');
    if ('childNodes' in node) node.childNodes.forEach(visit);
    // Such a tag has no meaning below the head, and hundreds of posts take a while to read.
  })(parse(html.split('</head>', 1)[0] ?? ''));
  return isAsked;
}
