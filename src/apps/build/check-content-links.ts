import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { ContentError } from '../../core/content/content-error.ts';
import { listFiles } from '../../core/content/content-part.ts';
import { facts } from '../../core/content/facts.ts';
import { parseProse } from '../../core/content/prose.ts';
import { parseText } from '../../core/content/read-content.ts';
import { fieldName, type ParsedFile, type Path, valueAt } from '../../core/content/source-positions.ts';
import { readTextFile } from '../../core/content/text-file.ts';
import { publishedContent } from '../../core/http/current-build.ts';
import { blogContent } from '../../features/blog/content.ts';
import { listPath, postPath } from '../../features/blog/contract.ts';
import { listPostFiles } from '../../features/blog/plan-post-change.ts';
import { parserOptions } from '../../features/blog/post-prose.ts';
import { contentParts } from '../../features.content.ts';
import type { PageSettings } from '../../ui/page-settings.ts';
import { defaultPageSettings, listPagePaths } from './create-page-settings.ts';
import { listElements } from './parse-html.ts';
import { isOn, leadsToOffPage, listSitePages } from './site-parts.ts';

const allFiles = listFiles([facts, ...contentParts]).map(({ path }) => path);

type Options = {
  /** Of the texts to check; all, if it is missing. */
  files?: readonly string[];
  /** The published build knows the parts of pages whose ids no text contains. */
  build: string | undefined;
};

/**
 * Links to pages, and to parts of pages, that the site will not have, at their fields. Drafts and scheduled posts count as
 * pages: publishing, which checks every page as it is rendered, refuses a link to one that is not published.
 */
export function findDeadContentLinks(folder: string, { files, build }: Options): ContentError[] {
  const posts = listPostFiles(folder);
  const known = new Set([
    ...listPagePaths([]),
    ...posts.map(file => postPath(getSlug(file))),
    ...listTopics(folder).map(topic => listPath(topic)),
  ]);
  const idsByPath = new Map<string, Set<string> | undefined>();
  const all = [...allFiles.filter(file => !file.startsWith('emails/')), ...posts];
  return all
    .filter(file => !files || files.includes(file))
    .flatMap(file => {
      const parsed = parseFile(folder, file);
      if (!parsed) return [];
      return listLinks(parsed.value).flatMap(({ url, path, line }): ContentError[] => {
        const reason = findReason(url, findPagePath(file));
        if (!reason) return [];
        const at = parsed.lineAt(path) + (path[0] === 'body' ? line - 1 : 0);
        return [{ file, line: at, field: fieldName(path), path, reason: `links to '${url}': ${reason}` }];
      });
    });

  function findReason(url: string, own: string | undefined): string | undefined {
    const [target = '', fragment = ''] = url.split('#');
    const path = target.split('?')[0] || own;
    if (path === undefined) return undefined;
    // Pictures and other files are checked when they are published.
    const isPage = !/\.\w+$/.test(path) && !/\/page\/\d+$/.test(path);
    if (isPage && !known.has(path)) return 'the site has no such page';
    if (!fragment) return undefined;
    if (!idsByPath.has(path)) idsByPath.set(path, findIds(path, { folder, posts, build }));
    return (idsByPath.get(path)?.has(fragment) ?? true) ? undefined : 'that page has no such part';
  }
}

/** The words of such a link stay, and lead nowhere: the owner may want to change them. */
export function listLinksToOffPages(folder: string, settings: PageSettings): string[] {
  const parts = contentParts.filter(({ name }) => isOn(settings, name));
  const posts = isOn(settings, 'blog') ? listPostFiles(folder) : [];
  const files = listFiles([facts, ...parts]).map(({ path }) => path);
  return [...files, ...posts].flatMap(file => {
    const parsed = parseFile(folder, file);
    const links = parsed ? listLinks(parsed.value) : [];
    return links.flatMap(({ url, path, line }) => {
      if (!leadsToOffPage(settings, url)) return [];
      const at = (parsed?.lineAt(path) ?? 1) + (path[0] === 'body' ? line - 1 : 0);
      return `content/${file} line ${at}: leads to ${url}, which is switched off; the link is left out`;
    });
  });
}

/** Undefined where nobody can tell before the page is published. */
function findIds(
  path: string,
  { folder, posts, build }: { folder: string; posts: string[]; build: string | undefined },
): Set<string> | undefined {
  const file = [...allFiles, ...posts].find(one => findPagePath(one) === path);
  const html = build && join(build, 'site', path === '/' ? 'index.html' : `${path.slice(1)}.html`);
  if (!file || !html || !existsSync(html)) return undefined;
  const rendered = listElements(readFileSync(html, 'utf8')).flatMap(one => one.attributes.get('id') ?? []);
  const earlier = new Set(listIds(parseFile(join(build, publishedContent), file)));
  return new Set([...listIds(parseFile(folder, file)), ...rendered.filter(id => !earlier.has(id))]);
}

/** The parts of a page that are made of a text: entries with an `id`, and headings. */
function listIds(parsed: ParsedFile | undefined): string[] {
  const body = valueAt(parsed?.value, ['body']);
  const { prose } = parseProse(typeof body === 'string' ? body : '', {
    parserOptions,
    convert: node => (node.type === 'inlineCode' ? [['code', {}, node.value]] : undefined),
  });
  const headings = prose.flatMap(node => (typeof node === 'string' ? [] : (node[1].id ?? [])));
  return [
    ...headings,
    ...eachText(parsed?.value).flatMap(({ text, path }) => (path.at(-1) === 'id' ? text : [])),
  ];
}

function findPagePath(file: string): string | undefined {
  if (file.startsWith('blog/')) return postPath(getSlug(file));
  const name = file.replace(/\.\w+$/, '');
  return listSitePages(defaultPageSettings).find(({ indexed }) => indexed?.content === name)?.paths[0];
}

function getSlug(file: string): string {
  return file.replace(/^blog\/\d{4}-\d{2}-\d{2}-|\.md$/g, '');
}

function listTopics(folder: string): string[] {
  const topics = valueAt(parseFile(folder, blogContent.files.blog.path)?.value, ['topics']);
  return Array.isArray(topics) ? topics.map(topic => String(valueAt(topic, ['slug']))) : [];
}

function parseFile(folder: string, file: string): ParsedFile | undefined {
  const { text } = readTextFile(join(folder, file));
  if (text === undefined) return undefined;
  return parseText(file, text).parsed;
}

type FoundLink = { url: string; path: Path; line: number };

function listLinks(value: unknown): FoundLink[] {
  return eachText(value).flatMap(({ text, path }): FoundLink[] => {
    if (path.at(-1) === 'path') return /^\/\S*$/.test(text) ? [{ url: text, path, line: 1 }] : [];
    if (!text.includes('](')) return [];
    return listMarkdownLinks(fromMarkdown(text, parserOptions)).map(link => ({ ...link, path }));
  });
}

function listMarkdownLinks(node: Nodes): { url: string; line: number }[] {
  const line = node.position?.start.line ?? 1;
  const own = node.type === 'link' && /^[/#]/.test(node.url) ? [{ url: node.url, line }] : [];
  return [...own, ...('children' in node ? node.children.flatMap(listMarkdownLinks) : [])];
}

function eachText(value: unknown, path: Path = []): { text: string; path: Path }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    eachText(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}
