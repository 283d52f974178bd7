import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import { locateLink } from '../content/read-content.ts';
import { findDeadLinks } from './check-links.ts';

const page = (path: string, html: string) => ({ path, html });

test('links to existing pages, anchors and files are accepted', () => {
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
  ['<a href="/nowhere">x</a>', '/ links to /nowhere, which does not exist'],
  ['<a href="#100%">x</a>', '/ links to #100%, which does not exist'],
  ['<a href="#nowhere">x</a>', '/ links to #nowhere, which does not exist'],
  ['<a href="/#nowhere">x</a>', '/ links to /#nowhere, which does not exist'],
  ['<img src="/gone.png" alt="">', '/ shows /gone.png, which does not exist'],
  ['<img srcset="/gone.webp 800w" alt="">', '/ shows /gone.webp, which does not exist'],
  ['<p id="a">x</p><p id="a">y</p>', "/ has the id 'a' twice; rename one of its headings"],
])('%s is found', (html, error) => {
  expect(findDeadLinks([page('/', html)], [])).toEqual([error]);
});

test('a dead link is reported with its place in content/, of a post in the post first', () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'blog'));
  writeFileSync(join(folder, 'faq.yaml'), 'answer: See [this](/gone).\n');
  writeFileSync(join(folder, 'blog/a.md'), '---\ntitle: A\n---\n\nSee [that](/gone).\n');
  const html = '<a href="/gone">that</a>';
  const placeOf = (link: string, path: string) =>
    locateLink(folder, link, path === '/blog/a' ? 'blog/a.md' : undefined);
  expect(findDeadLinks([page('/blog/a', html), page('/faq', html)], [], placeOf)).toEqual([
    'content/blog/a.md line 5: links to /gone, which does not exist',
    'content/faq.yaml line 1: links to /gone, which does not exist',
  ]);
});
