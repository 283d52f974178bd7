import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { describeProblem } from '../../core/content/content-error.ts';
import { findDeadLinks } from './check-links.ts';
import { checkPages } from './check-site.ts';

const page = (path: string, html: string) => ({ path, html });

test.each([
  ['<a href="/nowhere">x</a>', '/ links to /nowhere, which does not exist'],
  ['<a href="#100%">x</a>', '/ links to #100%, which does not exist'],
  ['<a href="/#nowhere">x</a>', '/ links to /#nowhere, which does not exist'],
  ['<img srcset="/gone.webp 800w" alt="">', '/ shows /gone.webp, which does not exist'],
  ['<p id="a">x</p><p id="a">y</p>', "/ has the id 'a' twice; rename one of its headings"],
])('%s is found', (html, error) => {
  expect(findDeadLinks([page('/', html)], [])).toEqual([{ reason: error }]);
});

test('a dead link is reported with its place in content/, of a post in the post first', () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'blog'));
  writeFileSync(join(folder, 'faq.yaml'), 'answer: See [this](/gone) and [there](#below).\n');
  writeFileSync(join(folder, 'blog/a.md'), '---\ntitle: A\n---\n\nSee [that](/gone).\n');
  mkdirSync(join(folder, 'brand'));
  writeFileSync(join(folder, 'brand/brand.yaml'), 'menu:\n  - label: Old\n    path: /old\n');
  const html = '<a href="/gone">that</a><a href="/old">menu</a>';
  const post = { path: '/blog/a', file: 'blog/a.md' };
  const pages = [page('/blog/a', html), page('/faq', `${html}<a href="/faq#below">there</a>`)];
  expect(checkPages({ folder, pages, files: [], views: [post] }).map(describeProblem)).toEqual([
    'content/blog/a.md line 5: links to /gone, which does not exist',
    'content/brand/brand.yaml line 3: path links to /old, which does not exist',
    'content/faq.yaml line 1: links to /gone, which does not exist',
    'content/faq.yaml line 1: links to /faq#below, which does not exist',
  ]);
});

test('only unpublished posts may link to each other', () => {
  const html = '<a href="/blog/a">x</a><a href="/blog/b">x</a>';
  const unpublished = [page('/blog/a', html), page('/blog/b', '<a href="/gone">x</a>')];
  expect(findDeadLinks([page('/', html)], [], { unpublished }).map(describeProblem)).toEqual([
    '/ links to /blog/a, which is not published yet',
    '/ links to /blog/b, which is not published yet',
    '/blog/b links to /gone, which does not exist',
  ]);
});
