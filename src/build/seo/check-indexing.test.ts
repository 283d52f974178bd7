import { expect, test } from 'vitest';
import { findIndexingErrors } from './check-indexing.ts';

const open = '<meta name="description" content="noindex">';
const contradiction = '/ is in the sitemap, and its robots tag says noindex: remove one of them';
const omission = '/ is not in the sitemap, and has no robots tag that says noindex';

test.each([
  [open, ['/'], []],
  ['<meta name="robots" content="noindex">', [], []],
  ['<meta content="nofollow, NOINDEX" name="Robots">', ['/'], [contradiction]],
  ['<meta name="googlebot" content="none">', ['/'], [contradiction]],
  [open, [], [omission]],
])('%s with the sitemap %j leads to %j', (html, sitemap, errors) => {
  expect(findIndexingErrors([{ path: '/', html }], sitemap)).toEqual(errors);
});
