import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { readContent } from '../../apps/content.ts';
import { describeContentError } from '../../core/content/content-error.ts';
import type { Content } from '../../features.content.ts';
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

test.each([
  ['draft: true', now, 'line 6: draft is true; subscribers could not open a draft on the website'],
  [
    '',
    new Date('2026-11-01T12:00:00Z'),
    'line 5: date is in the future: the post can be sent from 2 November',
  ],
])('a post that subscribers could not open is refused: %s', (more, at, reason) => {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'blog'));
  const file = join(folder, 'blog', name);
  writeFileSync(file, ['---', ...front, more, '---', '', 'Words.', ''].join('\n'));
  const { issue, errors } = readPostAsNewsletterIssue(folder, file, content, at);
  expect(issue).toBeUndefined();
  expect(errors.map(describeContentError)).toEqual([
    expect.stringContaining(`content/blog/${name} ${reason}`),
  ]);
});
