import { expect, test } from 'vitest';
import { findJsonLdErrors } from '../../../tests/harness/json-ld.ts';
import { readContent } from '../../content/read-content.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { contentFolder } from '../vite-config.ts';
import { listIndexedPages } from './indexed-pages.ts';
import { writeJsonLd } from './json-ld.ts';

const content = readContent(contentFolder).content as Content;
const siteUrl = 'https://www.quiet.co.uk';

function graphOf(words: Content, name: string) {
  const page = listIndexedPages(words).find(one => one.name === name);
  return page && writeJsonLd(words, page, siteUrl);
}

test("the company's JSON-LD has all filled fields and no example data", () => {
  const company: Content['company'] = {
    ...content.company,
    email: 'hello@quiet.co.uk',
    phone: '020 7123 4567',
    address: ['1 High Street', 'York'],
    addressNote: null,
    registration: { ...content.company.registration, name: 'Quiet Hours Ltd', vat: 'GB123456789' },
    social: {
      ...content.company.social,
      photos: { label: 'Photos', url: 'https://photos.quiet.co.uk/us' },
    },
  };
  const graph = graphOf({ ...content, company }, 'home');
  expect(graph?.['@graph'][0]).toMatchObject({
    '@type': 'Organization',
    description: content.found.summary,
    logo: { url: `${siteUrl}/icon-512.png` },
    email: 'hello@quiet.co.uk',
    telephone: '020 7123 4567',
    address: '1 High Street, York',
    legalName: 'Quiet Hours Ltd',
    vatID: 'GB123456789',
    sameAs: ['https://photos.quiet.co.uk/us'],
  });
  expect(graph && findJsonLdErrors(graph)).toEqual([]);
  const elsewhere = graphOf({ ...content, company }, 'contact')?.['@graph'][0];
  expect(elsewhere).toEqual({
    '@type': 'Organization',
    '@id': `${siteUrl}/#company`,
    url: `${siteUrl}/`,
    name: company.name,
  });
});

test('a page has a modification date only if its content has one', () => {
  const dated = { ...content, faq: { ...content.faq, updated: '2026-11-15' } };
  const changed = (words: Content) => graphOf(words, 'faq')?.['@graph'].find(node => 'mainEntity' in node);
  expect(changed(dated)).toMatchObject({ '@type': 'FAQPage', dateModified: '2026-11-15' });
  expect(changed(content)).not.toHaveProperty('dateModified');
});

test('errors in JSON-LD are found', () => {
  const graph = graphOf(content, 'services') as ReturnType<typeof writeJsonLd>;
  const [company, ...rest] = graph['@graph'];
  expect(findJsonLdErrors({ ...graph, '@graph': rest })).toEqual([
    `${siteUrl}/#company is referred to and is not there`,
  ]);
  expect(
    findJsonLdErrors({ ...graph, '@graph': [{ ...company, logo: '/a.png', url: '/' }, ...rest] }),
  ).toEqual(['graph[0].url is no absolute address: /']);
  expect(findJsonLdErrors({ '@context': 'https://schema.org', '@graph': [{ '@type': 'Answer' }] })).toEqual([
    'graph[0] (Answer) lacks text',
  ]);
});
