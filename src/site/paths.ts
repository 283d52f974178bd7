import { type NewsletterStep, pagePaths, stepPaths } from '../api/contract.ts';

/** Every address of the site by name. Links are made from this table and from nothing else. */
export const paths = pagePaths;

/** The pages that only a form or a letter leads to. No page links to them, and one component shows them all. */
export { type NewsletterStep, stepPaths };

/** The pages that search engines, chats and assistants are to find. */
export type FoundName = keyof typeof paths;

export type PageName = FoundName | 'newsletter' | 'not-found';

export const pageNames = [...Object.keys(paths), 'newsletter', 'not-found'] as PageName[];

/** The picture that chats and social networks show beside a link to a page. */
export function picturePath(name: FoundName): string {
  return `/share/${name}.jpg`;
}

/** The page behind a link, its query and fragment left aside. Which posts and lists the blog has, only its host knows. */
export function pageAt(href: string): PageName | undefined {
  const path = href.split(/[?#]/)[0] ?? '';
  if (path.startsWith(`${paths.blog}/`)) return 'blog';
  return nameOf(paths, path) ?? (stepAt(path) && 'newsletter');
}

/** Whether no script holds the words behind a link: whoever goes there loads a document. */
export function isDocument(href: string): boolean {
  return pageAt(href) === 'blog';
}

export function postPath(slug: string): string {
  return `${paths.blog}/${slug}`;
}

/** A page of the list of all posts, or of those on one topic. */
export function listPath(topic?: string, page = 1): string {
  const list = topic ? `${paths.blog}/topics/${topic}` : paths.blog;
  return page > 1 ? `${list}/page/${page}` : list;
}

export const feedPaths = { rss: `${paths.blog}/rss.xml`, atom: `${paths.blog}/atom.xml` } as const;

/** Which step of the newsletter a path is. */
export function stepAt(path: string): NewsletterStep | undefined {
  return nameOf(stepPaths, path);
}

function nameOf<Name extends string>(table: Record<Name, string>, path: string): Name | undefined {
  return (Object.keys(table) as Name[]).find(name => table[name] === path);
}
