import { expect, test } from 'vitest';
import { formatSpeculationRules } from './speculation-rules.ts';

type Place = { pathname: string; search: string };
type Rule = { where: { and: [{ href_matches: Place[] }, { selector_matches: string }] } };

const origin = 'https://www.example.com';
const rules: Rule[] = JSON.parse(formatSpeculationRules()).prerender;

/** The selectors of the links through which the address may be prerendered. */
function listSelectors(address: string): string[] {
  return rules
    .map(({ where: { and } }) => ({ places: and[0].href_matches, selector: and[1].selector_matches }))
    .filter(({ places }) =>
      places.some(place => new URLPattern({ ...place, baseURL: origin }).test(origin + address)),
    )
    .map(({ selector }) => selector);
}

const untilReact = [expect.stringMatching(/not\(\[data-script=react\]\).*\.static-html/)];
const anywhere = [expect.not.stringContaining('data-script')];

test.each([
  ['pages until React navigates', ['/', '/contact', '/creator#data-security'], untilReact],
  [
    'documents from anywhere',
    ['/sample-report', '/blog', '/blog/a-post', '/blog/topics/testing/page/2'],
    anywhere,
  ],
  [
    'no URLs with a query, and no files',
    ['/contact?a=b', '/blogs', '/newsletter/confirm', '/sample-report.pdf'],
    [],
  ],
  [
    'feeds only past a selector that excludes them',
    ['/blog/rss.xml'],
    [expect.stringContaining('[href$=".xml"]')],
  ],
])('%s are prerendered', (_, addresses, selectors) => {
  for (const address of addresses) expect(listSelectors(address), address).toEqual(selectors);
});
