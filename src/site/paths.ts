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

/** The page behind a link, its query and fragment left aside. */
export function pageAt(href: string): PageName | undefined {
  const path = href.split(/[?#]/)[0] ?? '';
  return nameOf(paths, path) ?? (stepAt(path) && 'newsletter');
}

/** Which step of the newsletter a path is. */
export function stepAt(path: string): NewsletterStep | undefined {
  return nameOf(stepPaths, path);
}

function nameOf<Name extends string>(table: Record<Name, string>, path: string): Name | undefined {
  return (Object.keys(table) as Name[]).find(name => table[name] === path);
}
