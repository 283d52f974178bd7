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

test.each([
  ['pages until React navigates', '/creator#data-security', [/not\(\[data-script=react\]\)/]],
  [
    'documents from anywhere, except feeds',
    '/blog/topics/testing/page/2',
    [/^a:not\(.*\[href\$="\.xml"\]\)$/],
  ],
  ['nothing with a query', '/contact?a=b', []],
  ['no step of the newsletter', '/newsletter/confirm', []],
])('%s may be prerendered: %s', (_, address, selectors) => {
  expect(listSelectors(address)).toEqual(selectors.map(selector => expect.stringMatching(selector)));
});
