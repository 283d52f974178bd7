import { expect, test } from 'vitest';
import { findDeadLinks } from './links.ts';

const page = (path: string, html: string) => ({ path, html });

test('links to pages, places and files that are there are fine', () => {
  const home = page(
    '/',
    '<h1 id="top">x</h1><a href="/faq#one">x</a><a href="#top">x</a><link href="/icon.svg">',
  );
  const faq = page(
    '/faq',
    '<h2 id="one">x</h2><a href="/">x</a><a href="/faq?q=1#one">x</a><a href="tel:1">x</a>',
  );
  expect(findDeadLinks([home, faq], ['/icon.svg'])).toEqual([]);
});

test.each([
  ['<a href="/nowhere">x</a>', '/ links to /nowhere, which is not there'],
  ['<a href="#nowhere">x</a>', '/ links to #nowhere, which is not there'],
  ['<a href="/#nowhere">x</a>', '/ links to /#nowhere, which is not there'],
  ['<p id="a">x</p><p id="a">y</p>', "/ has the id 'a' twice; name one of its headings differently"],
])('%s is found', (html, mistake) => {
  expect(findDeadLinks([page('/', html)], [])).toEqual([mistake]);
});

test('a dead link is told where its words stand, if they are known', () => {
  const page = { path: '/faq', html: '<a href="/nowhere">x</a><a href="/gone">y</a>' };
  const placeOf = (link: string) => (link === '/nowhere' ? 'content/faq.yaml line 30:' : undefined);
  expect(findDeadLinks([page], [], placeOf)).toEqual([
    'content/faq.yaml line 30: links to /nowhere, which is not there',
    '/faq links to /gone, which is not there',
  ]);
});
