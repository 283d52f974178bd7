import { pages } from 'site:pages';
import type { RoutedPage } from './page.ts';

export function findPage(name: string): RoutedPage | undefined {
  return pages.find(page => page.name === name);
}

export function pageAt(href: string): RoutedPage | undefined {
  const path = href.split(/[?#]/)[0] ?? '';
  return pages.find(({ paths }) =>
    paths.some(own => (own.endsWith('/*') ? path.startsWith(own.slice(0, -1)) : own === path)),
  );
}

/** The browser loads these as documents, because no script has their text. */
export function reloadsDocument(href: string): boolean {
  return pageAt(href)?.isDocument === true;
}
