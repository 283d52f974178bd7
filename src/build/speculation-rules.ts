import { paths } from '../site/paths.ts';

/** Addresses with a query and the open page are left out. Once React runs it navigates itself, except to and from the documents of the blog and the sample report. */
export function formatSpeculationRules(): string {
  const { blog, sample, ...others } = paths;
  const documents = [sample, blog, `${blog}/*`];
  const rules = [
    {
      from: ':is(:root:not([data-script=react]), .static-html) a:not([aria-current])',
      to: Object.values(others),
    },
    { from: 'a:not([aria-current], [href$=".xml"])', to: documents },
  ];
  const prerender = rules.map(({ from, to }) => ({
    where: {
      and: [{ href_matches: to.map(pathname => ({ pathname, search: '' })) }, { selector_matches: from }],
    },
    eagerness: 'moderate',
  }));
  return JSON.stringify({ prerender });
}
