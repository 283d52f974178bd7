import { expect, test } from 'vitest';
import { findIndexingErrors } from './check-indexing.ts';

const open = '<title>x</title>';
const closed = '<meta name="robots" content="noindex"><title>x</title>';

test('pages in the sitemap are indexed, and all others are noindex', () => {
  const pages = [
    { path: '/', html: open },
    { path: '/newsletter/leave', html: closed },
  ];
  expect(findIndexingErrors(pages, ['/'])).toEqual([]);
});

test.each([
  closed,
  '<meta content="nofollow, NOINDEX" name="Robots">',
  '<meta name="googlebot" content="none">',
])('a page in the sitemap must not say %s', html => {
  expect(findIndexingErrors([{ path: '/faq', html }], ['/faq'])).toEqual([
    '/faq is in the sitemap, and its robots tag says noindex: remove one of them',
  ]);
});

test('a page outside the sitemap must be noindex', () => {
  const html = '<meta name="description" content="noindex">';
  expect(findIndexingErrors([{ path: '/404', html }], ['/'])).toEqual([
    '/404 is not in the sitemap, and has no robots tag that says noindex',
  ]);
});
