import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { describeContentError } from '../content-error.ts';
import { readContent } from '../read-content.ts';
import type { Content } from '../schemas/all-schemas.ts';
import { readPostAsNewsletterIssue } from './post-to-newsletter-issue.ts';

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
beforeEach(() => {
  folder = createTempFolder();
  mkdirSync(join(folder, 'blog'));
});

function read(body: string, lines = front, at = now) {
  const file = join(folder, 'blog', name);
  writeFileSync(file, ['---', ...lines, '---', '', body, ''].join('\n'));
  return readPostAsNewsletterIssue(folder, file, content, at);
}

const findErrors = (...given: Parameters<typeof read>) => {
  const { issue, errors } = read(...given);
  expect(issue).toBeUndefined();
  return errors.map(describeContentError);
};

test('a draft, a future post and a post with an error are refused, with file, line and field', () => {
  expect(findErrors('Words.', [...front, 'draft: true'])).toEqual([
    `content/blog/${name} line 6: draft is true; subscribers could not open a draft on the website`,
  ]);
  const eve = new Date('2026-11-01T12:00:00Z');
  expect(findErrors('Words.', front, eve)).toEqual([
    `content/blog/${name} line 5: date is in the future: the post can be sent from 2 November 2026, when it is on the website`,
  ]);
  expect(findErrors('<b>x</b>', front)[0]).toMatch(
    new RegExp(`^content/blog/${name} line 8: body contains raw HTML`),
  );
});
