import { listElements } from './parse-html.ts';

export type WrittenPage = { path: string; html: string };

export function findDeadLinks(
  pages: WrittenPage[],
  files: string[],
  locate: (link: string, path: string) => string | undefined = () => undefined,
): string[] {
  const read = pages.map(page => ({ path: page.path, ...readPage(page.html) }));
  const idsByPath = new Map(read.map(({ path, ids }) => [path, new Set(ids)]));
  const known = new Set([...files, ...idsByPath.keys()]);
  return read.flatMap(({ path, ids, links, images }) => [
    ...ids
      .filter((id, index) => ids.indexOf(id) !== index)
      .map(id => `${path} has the id '${id}' twice; rename one of its headings`),
    ...links
      .filter(link => !targetExists(link, path))
      .map(link => `${locate(link, path) ?? path} links to ${link}, which does not exist`),
    ...images.filter(image => !known.has(image)).map(image => `${path} shows ${image}, which does not exist`),
  ]);

  function targetExists(link: string, from: string): boolean {
    const [target = '', fragment] = link.split('#');
    const path = target.split('?')[0] || from;
    if (!known.has(path)) return false;
    return !fragment || (idsByPath.get(path)?.has(decode(fragment)) ?? true);
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
