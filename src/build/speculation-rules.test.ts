import { expect, test } from 'vitest';
import { writeSpeculationRules } from './speculation-rules.ts';

type Place = { pathname: string; search: string };
type Rule = { where: { and: [{ href_matches: Place[] }, { selector_matches: string }] } };

const origin = 'https://www.example.com';
const rules: Rule[] = JSON.parse(writeSpeculationRules()).prerender;

/** From where on our pages a link to it may be followed ahead. */
function fromWhere(address: string): string[] {
  return rules
    .map(({ where: { and } }) => ({ places: and[0].href_matches, selector: and[1].selector_matches }))
    .filter(({ places }) =>
      places.some(place => new URLPattern({ ...place, baseURL: origin }).test(origin + address)),
    )
    .map(({ selector }) => selector);
}

test('pages are prerendered until React navigates, and from the blog', () => {
  for (const address of ['/', '/contact', '/creator#data-security'])
    expect(fromWhere(address)).toEqual([
      expect.stringMatching(/not\(\[data-script=react\]\).*\.static-html/),
    ]);
});

test('blog pages are prerendered from anywhere', () => {
  for (const address of ['/blog', '/blog/a-post', '/blog/topics/testing/page/2'])
    expect(fromWhere(address)).toEqual([expect.not.stringContaining('data-script')]);
});

test('URLs with a query and files are not prerendered', () => {
  for (const address of ['/contact?a=b', '/blog/a-post?a=b', '/blogs', '/newsletter/confirm', '/icon.svg'])
    expect(fromWhere(address)).toEqual([]);
  expect(fromWhere('/blog/rss.xml')).toEqual([expect.stringContaining('[href$=".xml"]')]);
});
