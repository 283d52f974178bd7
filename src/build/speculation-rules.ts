import { paths } from '../site/paths.ts';

/**
 * Which links a browser may follow ahead of the visitor: those to our pages, when one is pointed at or pressed. Not the
 * page that is open, and nothing with a query. Once React has the page it changes pages itself, but for those that only
 * a document holds, and from them.
 */
export function writeSpeculationRules(): string {
  const { blog, ...others } = paths;
  const posts = [blog, `${blog}/*`];
  const rules = [
    { from: ':is(:root:not([data-script=react]), .kept) a:not([aria-current])', to: Object.values(others) },
    { from: 'a:not([aria-current], [href$=".xml"])', to: posts },
  ];
  const prerender = rules.map(({ from, to }) => ({
    where: {
      and: [{ href_matches: to.map(pathname => ({ pathname, search: '' })) }, { selector_matches: from }],
    },
    eagerness: 'moderate',
  }));
  return JSON.stringify({ prerender });
}
