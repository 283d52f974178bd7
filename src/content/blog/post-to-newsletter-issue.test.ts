import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { describeMistake, readContent } from '../read-content.ts';
import type { Content } from '../schemas/all-schemas.ts';
import { isPostFile, readPostIssue } from './post-to-newsletter-issue.ts';

const content = readContent(join(root, 'content')).content as Content;
const name = '2026-11-02-what-we-found.md';
const now = new Date('2026-11-16T12:00:00Z');
const front = [
  'title: What we found',
  'summary: A summary that is long enough to be shown by a search engine, and says what the post is about.',
  `topics: [${content.blog.topics[0]?.slug}]`,
  'date: 2026-11-02',
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-post-'));
  mkdirSync(join(folder, 'blog'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(body: string, lines = front, at = now) {
  const file = join(folder, 'blog', name);
  writeFileSync(file, ['---', ...lines, '---', '', body, ''].join('\n'));
  return readPostIssue(folder, file, content, at);
}

const mistakesOf = (...given: Parameters<typeof read>) => {
  const { issue, mistakes } = read(...given);
  expect(issue).toBeUndefined();
  return mistakes.map(describeMistake);
};

test('a post is an issue of its own name, with its title, its summary and its address', () => {
  const { issue, mistakes } = read('Words, see [below](#end).[^1]\n\n## End\n\n[^1]: A note.');
  expect(mistakes).toEqual([]);
  expect(issue).toEqual({
    name: 'blog.what-we-found',
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    subject: 'What we found',
    preview: expect.stringMatching(/^A summary/),
    web: '/blog/what-we-found',
    body: [
      [
        'p',
        {},
        'Words, see ',
        ['a', { href: '/blog/what-we-found#end' }, 'below'],
        '.',
        ['sup', {}, '[', '1', ']'],
      ],
      ['h2', {}, 'End'],
      ['hr', {}],
      ['h2', {}, content.blog.post.footnotes],
      ['ol', {}, ['li', {}, ['p', {}, 'A note.']]],
    ],
  });
});

test('a numbered list that code parts goes on where it was', () => {
  const { issue } = read('1. Run this:\n\n```bash\nls\n```\n\n2. Read it.');
  expect(issue?.body.at(-1)).toEqual(['ol', { start: '2' }, ['li', {}, 'Read it.']]);
});

test('a draft, a post of a day to come and one with a mistake are refused, with file, line and field', () => {
  expect(mistakesOf('Words.', [...front, 'draft: true'])).toEqual([
    `content/blog/${name} line 6: draft is true; readers could not open a draft on the web`,
  ]);
  const eve = new Date('2026-11-01T12:00:00Z');
  expect(mistakesOf('Words.', front, eve)).toEqual([
    `content/blog/${name} line 5: date is to come: it can be sent from 2 November 2026 on, when it is on the web`,
  ]);
  expect(mistakesOf('<b>x</b>', front)[0]).toMatch(
    new RegExp(`^content/blog/${name} line 8: body holds raw HTML`),
  );
});

test('only what lies among the posts is a post', () => {
  expect(isPostFile(folder, join(folder, 'blog', name))).toBe(true);
  expect(isPostFile(folder, join(folder, name))).toBe(false);
  expect(isPostFile(folder, join(folder, 'blog', 'deeper', name))).toBe(false);
});
