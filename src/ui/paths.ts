import { auditPaths } from '../features/audit/contract.ts';
import { type NewsletterPage, newsletterPaths } from '../features/newsletter/contract.ts';
import { pagePaths } from './page-paths.ts';

export const paths = pagePaths;

export { auditPaths, type NewsletterPage, newsletterPaths };

export type IndexedPageName = keyof typeof paths;

export type PageName = IndexedPageName | 'newsletter' | 'audit-report' | 'not-found';

export const pageNames = [...Object.keys(paths), 'newsletter', 'audit-report', 'not-found'] as PageName[];

export function openGraphImagePath(name: IndexedPageName): string {
  return `/share/${name}.jpg`;
}

export function pageAt(href: string): PageName | undefined {
  const path = href.split(/[?#]/)[0] ?? '';
  if (path.startsWith(`${paths.blog}/`)) return 'blog';
  if (path.startsWith(auditPaths.report)) return 'audit-report';
  return findName(paths, path) ?? (newsletterPageAt(path) && 'newsletter');
}

/** The blog and reports are in no script: the browser loads them as documents. */
export const documentPages: (PageName | undefined)[] = ['blog', 'sample', 'audit-report'];

export function reloadsDocument(href: string): boolean {
  return documentPages.includes(pageAt(href));
}

export function postPath(slug: string): string {
  return `${paths.blog}/${slug}`;
}

export function listPath(topic?: string, page = 1): string {
  const list = topic ? `${paths.blog}/topics/${topic}` : paths.blog;
  return page > 1 ? `${list}/page/${page}` : list;
}

export const feedPaths = { rss: `${paths.blog}/rss.xml`, atom: `${paths.blog}/atom.xml` } as const;

export function newsletterPageAt(path: string): NewsletterPage | undefined {
  return findName(newsletterPaths, path);
}

function findName<Name extends string>(table: Record<Name, string>, path: string): Name | undefined {
  return (Object.keys(table) as Name[]).find(name => table[name] === path);
}
