import { expect, test } from 'vitest';
import { defaultPageSettings } from './create-page-settings.ts';
import { listSitePages } from './site-parts.ts';
import { formatSpeculationRules } from './speculation-rules.ts';

test('pages may be prefetched, but nothing with a query and no step of the newsletter', () => {
  const origin = 'https://www.example.com';
  type Rule = { where: { and: [{ href_matches: object[] }] } };
  const rules: Rule[] = JSON.parse(formatSpeculationRules(listSitePages(defaultPageSettings))).prefetch;
  const places = rules.flatMap(({ where }) => where.and[0].href_matches);
  const mayBePrefetched = (address: string) =>
    places.some(place => new URLPattern({ ...place, baseURL: origin }).test(origin + address));
  const addresses = ['/creator#data-security', '/blog/page/2', '/contact?a=b', '/newsletter/confirm'];
  expect(addresses.map(mayBePrefetched)).toEqual([true, true, false, false]);
});
