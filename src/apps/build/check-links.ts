import type { Problem } from '../../core/content/content-error.ts';
import { listElements } from './parse-html.ts';

export type WrittenPage = { path: string; html: string };

type LinkOptions = {
  /** Where a link was written, if that is known. */
  locate?(link: string, path: string): { file: string; line: number; field?: string | undefined } | undefined;
  /** Drafts and scheduled posts: they may link to each other, but a published page may not link to them. */
  unpublished?: WrittenPage[];
};

export function findDeadLinks(
  pages: WrittenPage[],
  files: string[],
  { locate = () => undefined, unpublished = [] }: LinkOptions = {},
): Problem[] {
  const waiting = new Set(unpublished.map(({ path }) => path));
  const read = [...pages, ...unpublished].map(page => ({ path: page.path, ...readPage(page.html) }));
  const idsByPath = new Map(read.map(({ path, ids }) => [path, new Set(ids)]));
  const known = new Set([...files, ...idsByPath.keys()]);
  return read.flatMap(({ path, ids, links, images }): Problem[] => [
    ...ids
      .filter((id, index) => ids.indexOf(id) !== index)
      .map(id => ({ reason: `${path} has the id '${id}' twice; rename one of its headings` })),
    ...links.flatMap(link => {
      const reason = findReason(link, path);
      if (!reason) return [];
      const text = `links to ${link}, which ${reason}`;
      const { field, ...place } = locate(link, path) ?? {};
      return 'file' in place
        ? [{ place, reason: field ? `${field} ${text}` : text }]
        : [{ reason: `${path} ${text}` }];
    }),
    ...images
      .filter(image => !known.has(image))
      .map(image => ({ reason: `${path} shows ${image}, which does not exist` })),
  ]);

  function findReason(link: string, from: string): string | undefined {
    const [target = '', fragment] = link.split('#');
    const path = target.split('?')[0] || from;
    if (waiting.has(path) && !waiting.has(from)) return 'is not published yet';
    const hasFragment = !fragment || (idsByPath.get(path)?.has(decode(fragment)) ?? true);
    return known.has(path) && hasFragment ? undefined : 'does not exist';
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function readPage(html: string): { ids: string[]; links: string[]; images: string[] } {
  const all = listElements(html).flatMap(({ attributes }) => [...attributes]);
  const listValues = (wanted: string) => all.flatMap(([name, value]) => (name === wanted ? [value] : []));
  const candidates = listValues('srcset').flatMap(value => value.split(','));
  const images = [...listValues('src'), ...candidates.map(one => one.trim().split(/\s+/)[0] ?? '')];
  return {
    ids: listValues('id'),
    links: listValues('href').filter(href => /^[/#]/.test(href)),
    images: [...new Set(images)],
  };
}
