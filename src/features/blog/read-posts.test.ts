import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { readContent } from '../../apps/content.ts';
import { describeContentError } from '../../core/content/content-error.ts';
import type { Content } from '../../features.content.ts';
import { formatDay, getLondonDay, isDue } from '../../lib/london-day.ts';
import { noLabels } from './read-post.ts';
import { readPosts } from './read-posts.ts';

const facts = readContent(join(root, 'content')).content as Content;
const [testing, defence] = [
  { slug: 'testing', name: 'Testing' },
  { slug: 'defence', name: 'Defence' },
];
const labels = { ...noLabels, topics: [testing, defence] };
const summary = 'A summary that is long enough for search engines to show it below the title of a post.';

let folder: string;
beforeEach(() => {
  folder = createTempFolder();
  mkdirSync(join(folder, 'blog'));
});

type Facts = Record<string, string | undefined>;

function write(name: string, facts: Facts = {}, body = 'Words.'): void {
  const all: Facts = { title: 'A title', summary, topics: '[testing]', date: name.slice(0, 10), ...facts };
  const lines = Object.entries(all).flatMap(([field, value]) =>
    value === undefined ? [] : `${field}: ${value}`,
  );
  writeFileSync(join(folder, 'blog', name), `---\n${lines.join('\n')}\n---\n\n${body}\n`);
}

const read = () => readPosts(folder, facts, labels, { isPreview: true });
const describeErrors = () => read().errors.map(describeContentError);

test('posts are read newest first, with all their fields', () => {
  write('2026-10-05-first.md', { title: 'First', updated: '2026-10-07', illustration: 'web-security' });
  write(
    '2026-11-02-second-one.md',
    { summary: `${summary} Too.`, topics: '[defence, testing]', draft: 'true' },
    '## A heading\n\n{company.name} says `{no.fact}`.\n\n### Below\n\n```json\n{"a": {"b": 1}}\n```',
  );
  write('2026-09-01-long.md', { title: 'Long', summary: `${summary} Long.` }, 'word '.repeat(2200));
  const { posts = [], errors } = read();
  expect(errors).toEqual([]);
  expect(posts).toMatchObject([
    {
      slug: 'second-one',
      title: 'A title',
      summary: `${summary} Too.`,
      topics: [defence, testing],
      date: '2026-11-02',
      isDraft: true,
      illustration: 'shield',
      minutes: 1,
      body: expect.arrayContaining([['p', {}, `${facts.brand.name} says `, ['code', {}, '{no.fact}'], '.']]),
      contents: [
        { id: 'a-heading', text: 'A heading', depth: 2 },
        { id: 'below', text: 'Below', depth: 3 },
      ],
    },
    { slug: 'first', updated: '2026-10-07', illustration: 'web-security' },
    { slug: 'long', wordCount: 2200, minutes: 10, isDraft: false },
  ]);
  expect(JSON.stringify(posts[0]?.body)).toContain('{\\"a\\": {\\"b\\": 1}}');
});

test('a README or a picture is no post, other files are a warning, and the folder may be missing', () => {
  for (const name of ['README.md', 'picture.png', 'notes.txt', '.DS_Store'])
    writeFileSync(join(folder, 'blog', name), '');
  mkdirSync(join(folder, 'blog/2026'));
  const warnings = ['2026', 'notes.txt'].map(
    name => `content/blog/${name}: is neither a post nor a picture, so it is not published`,
  );
  expect(read()).toEqual({ posts: [], errors: [], warnings });
  rmSync(join(folder, 'blog'), { recursive: true });
  expect(read()).toEqual({ posts: [], errors: [], warnings: [] });
  writeFileSync(join(folder, 'blog'), '');
  expect(describeErrors()).toEqual(['content/blog line 1: is a file, expected a folder of posts']);
});

test('an error in a draft is a warning if drafts are left out', () => {
  write('2026-11-01-shown.md', { title: 'One' });
  write('2026-11-02-draft.md', { title: 'One', summary: 'short', draft: 'true' });
  write('2026-11-03-no-yaml.md', { title: 'Backups: what: to test', draft: 'true # not yet' });
  const { posts, errors, warnings } = readPosts(folder, facts, labels);
  expect(errors).toEqual([]);
  expect(posts?.map(({ slug }) => slug)).toEqual(['shown']);
  const reason = '2026-11-02-draft.md line 3: summary is 5 characters, at least 70 are needed';
  expect(warnings[0]).toBe(`content/blog/${reason}; the post is a draft and was left out`);
  expect(warnings[1]).toMatch(/2026-11-03-no-yaml\.md line 2: .*; the post is a draft and was left out$/);
  expect(describeErrors().join('\n')).toContain(reason);
});

test.each([
  ['second.md', 'needs a file name of a date and lower-case words, such as 2026-11-02-what-we-found.md'],
  ['2026-11-02-Big.md', 'needs a file name of a date'],
  ['2026-11-02-topics.md', "cannot be called 'topics'"],
  ['2026-11-02-index.md', "cannot be called 'index'"],
])('a post cannot be called %s', (name, reason) => {
  write(name, { date: '2026-11-02' });
  expect(describeErrors()[0]).toContain(`content/blog/${name} line 1: ${reason}`);
});

test.each<[facts: Facts, body: string, reason: string]>([
  [{ date: '2026-11-03' }, 'x', 'line 5: date is 2026-11-03, but the file name says 2026-11-02'],
  [{ updated: '2026-11-01' }, 'x', 'line 6: updated is 2026-11-01, before its date 2026-11-02'],
  [{ topics: '[testing, cats]' }, 'x', "line 4: entry 2 of topics is 'cats', expected one of testing"],
  [{ topics: '[testing, testing]' }, 'x', 'line 4: topics lists one of them twice'],
  [{ title: 'x'.repeat(55) }, 'x', 'line 2: title is 55 characters, limit 53'],
  [{ title: 'A \u202Eeltit' }, 'x', 'line 2: title contains a character that changes the writing direction'],
  [{}, '', 'line 9: body is empty'],
  [{}, 'a\n\n`b \u2066c`', 'line 10: body contains a character that changes the writing direction'],
  [{}, 'a\n\nthe {company.fax}', 'line 10: body uses the unknown placeholder {company.fax}'],
  [{}, 'x'.repeat(1_100_000), 'line 1: the file is 1101 kB, limit 200 kB'],
])('a post with %j and its text has an error', (facts, body, reason) => {
  write('2026-11-02-x.md', facts, body);
  expect(describeErrors().join('\n')).toContain(`content/blog/2026-11-02-x.md ${reason}`);
});

test('posts may not share an address, a title or a summary, and a preview leaves out those with errors', () => {
  write('2026-11-01-same.md', { title: 'One' });
  write('2026-11-02-same.md', { title: 'One', summary: `${summary} Other.` });
  write('2026-11-03-other.md', { title: 'Other' });
  expect(read().posts?.map(({ file }) => file)).toEqual(['blog/2026-11-01-same.md']);
  expect(readPosts(folder, facts, labels).posts).toBeUndefined();
  expect(describeErrors()).toEqual([
    'content/blog/2026-11-02-same.md line 1: would have the same address as 2026-11-01-same.md; rename one of them',
    'content/blog/2026-11-02-same.md line 2: title is the same as in 2026-11-01-same.md; each post needs its own',
    'content/blog/2026-11-03-other.md line 3: summary is the same as in 2026-11-01-same.md; each post needs its own',
  ]);
});

test('a day begins at midnight in London', () => {
  expect(getLondonDay(new Date('2026-06-30T23:30:00Z'))).toBe('2026-07-01');
  expect(getLondonDay(new Date('2026-11-30T23:30:00Z'))).toBe('2026-11-30');
  expect(formatDay('2026-12-01')).toBe('1 December 2026');
  expect(isDue({ isDraft: false, date: '2026-12-01' }, '2026-12-01')).toBe(true);
  expect(isDue({ isDraft: false, date: '2026-12-02' }, '2026-12-01')).toBe(false);
  expect(isDue({ isDraft: true, date: '2026-11-01' }, '2026-12-01')).toBe(false);
});
