import type { Page } from '../../ui/page.ts';

/** Addresses with a query and the open page are left out, and links that React follows. */
export function formatSpeculationRules(pages: Page[]): string {
  const documents = pages.filter(page => page.document);
  const listPaths = (of: Page[]) => of.filter(page => page.indexed).flatMap(({ paths }) => paths);
  const nativePages = [
    ':root:not([data-script=react])',
    ...documents.map(({ name }) => `[data-page=${name}]`),
  ];
  const rules = [
    {
      from: `:is(${nativePages}) a:not([aria-current])`,
      to: listPaths(pages.filter(page => !page.document)),
    },
    { from: 'a:not([aria-current], [href$=".xml"])', to: listPaths(documents) },
  ];
  const prefetch = rules.map(({ from, to }) => ({
    where: {
      and: [{ href_matches: to.map(pathname => ({ pathname, search: '' })) }, { selector_matches: from }],
    },
    eagerness: 'moderate',
  }));
  return JSON.stringify({ prefetch });
}
