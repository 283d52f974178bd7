import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export type WrittenPage = { path: string; html: string };

/**
 * Links and pictures of the pages that are nowhere on the site, and ids that stand twice: the owner's words may hold any of
 * them, and `placeOf` says where in them a link of a page stands.
 */
export function findDeadLinks(
  pages: WrittenPage[],
  files: string[],
  placeOf: (link: string, path: string) => string | undefined = () => undefined,
): string[] {
  const read = pages.map(page => ({ path: page.path, ...readPage(page.html) }));
  const idsOf = new Map(read.map(({ path, ids }) => [path, new Set(ids)]));
  const known = new Set([...files, ...idsOf.keys()]);
  return read.flatMap(({ path, ids, links, pictures }) => [
    ...ids
      .filter((id, index) => ids.indexOf(id) !== index)
      .map(id => `${path} has the id '${id}' twice; name one of its headings differently`),
    ...links
      .filter(link => !leadsSomewhere(link, path))
      .map(link => `${placeOf(link, path) ?? path} links to ${link}, which is not there`),
    ...pictures
      .filter(picture => !known.has(picture))
      .map(picture => `${path} shows ${picture}, which is not there`),
  ]);

  function leadsSomewhere(link: string, from: string): boolean {
    const [target = '', fragment] = link.split('#');
    const path = target.split('?')[0] || from;
    if (!known.has(path)) return false;
    return !fragment || (idsOf.get(path)?.has(decode(fragment)) ?? true);
  }
}

/** A broken escape names no place: compared as it is, it will not be found. */
function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

type Read = { ids: string[]; links: string[]; pictures: string[] };

function readPage(html: string): Read {
  const [ids, links, pictures]: [string[], string[], string[]] = [[], [], []];
  (function visit(node: DefaultTreeAdapterTypes.Node) {
    for (const { name, value } of 'attrs' in node ? node.attrs : []) {
      if (name === 'id') ids.push(value);
      if (name === 'href' && /^[/#]/.test(value)) links.push(value);
      if (name === 'src') pictures.push(value);
      if (name === 'srcset') pictures.push(...value.split(',').map(one => one.trim().split(/\s+/)[0] ?? ''));
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  })(parse(html, { scriptingEnabled: false }));
  return { ids, links, pictures: [...new Set(pictures)] };
}
