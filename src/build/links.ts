import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export type WrittenPage = { path: string; html: string };

/**
 * Links of the pages that lead nowhere on the site, and ids that stand twice: the owner's words may hold either, and
 * `placeOf` says where in them a link stands.
 */
export function findDeadLinks(
  pages: WrittenPage[],
  files: string[],
  placeOf: (link: string) => string | undefined = () => undefined,
): string[] {
  const read = pages.map(page => ({ path: page.path, ...readPage(page.html) }));
  const idsOf = new Map(read.map(({ path, ids }) => [path, ids]));
  const known = new Set([...files, ...idsOf.keys()]);
  return read.flatMap(({ path, ids, links }) => [
    ...ids
      .filter((id, index) => ids.indexOf(id) !== index)
      .map(id => `${path} has the id '${id}' twice; name one of its headings differently`),
    ...links
      .filter(link => !leadsSomewhere(link, path))
      .map(link => `${placeOf(link) ?? path} links to ${link}, which is not there`),
  ]);

  function leadsSomewhere(link: string, from: string): boolean {
    const [target = '', fragment] = link.split('#');
    const path = target.split('?')[0] || from;
    if (!known.has(path)) return false;
    return !fragment || (idsOf.get(path)?.includes(decodeURIComponent(fragment)) ?? true);
  }
}

function readPage(html: string): { ids: string[]; links: string[] } {
  const ids: string[] = [];
  const links: string[] = [];
  (function visit(node: DefaultTreeAdapterTypes.Node) {
    for (const { name, value } of 'attrs' in node ? node.attrs : []) {
      if (name === 'id') ids.push(value);
      if (name === 'href' && /^[/#]/.test(value)) links.push(value);
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  })(parse(html, { scriptingEnabled: false }));
  return { ids, links };
}
