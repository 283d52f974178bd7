import { documentPages, paths } from '../../ui/paths.ts';

/** Addresses with a query and the open page are left out, and links that React follows. */
export function formatSpeculationRules(): string {
  const { blog, sample, ...others } = paths;
  const documents = [sample, blog, `${blog}/*`];
  const nativePages = [':root:not([data-script=react])', ...documentPages.map(page => `[data-page=${page}]`)];
  const rules = [
    { from: `:is(${nativePages}) a:not([aria-current])`, to: Object.values(others) },
    { from: 'a:not([aria-current], [href$=".xml"])', to: documents },
  ];
  const prefetch = rules.map(({ from, to }) => ({
    where: {
      and: [{ href_matches: to.map(pathname => ({ pathname, search: '' })) }, { selector_matches: from }],
    },
    eagerness: 'moderate',
  }));
  return JSON.stringify({ prefetch });
}
