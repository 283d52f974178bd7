import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeContentError } from '../content-error.ts';
import { readContent } from '../read-content.ts';
import type { Content } from '../schemas/all-schemas.ts';
import type { PostLabels } from './blog-types.ts';
import { illustrationNames } from './post-schema.ts';
import { formatDay, getLondonDay, isDue } from './publication-dates.ts';
import { readPosts } from './read-posts.ts';
import { readSite } from './read-site.ts';

const root = resolve(import.meta.dirname, '../../..');
const { company } = readContent(join(root, 'content')).content as Content;
const words: PostLabels = {
  topics: [
    { slug: 'testing', name: 'Testing' },
    { slug: 'defence', name: 'Defence' },
  ],
  callouts: { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' },
  table: 'Table',
  code: 'Code',
  footnotes: 'Footnotes',
  backToText: 'Back to note',
};
const summary = 'A summary that is long enough for search engines to show it below the title of a post.';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-posts-'));
  mkdirSync(join(folder, 'blog'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Facts = Record<string, string | undefined>;

function write(name: string, facts: Facts = {}, body = 'Words.'): void {
  const all: Facts = {
    title: 'A title',
    summary,
    topics: '[testing]',
    date: name.slice(0, 10),
    ...facts,
  };
  const lines = Object.entries(all).flatMap(([field, value]) =>
    value === undefined ? [] : `${field}: ${value}`,
  );
  writeFileSync(join(folder, 'blog', name), `---\n${lines.join('\n')}\n---\n\n${body}\n`);
}

const read = () => readPosts(folder, company, words);
const describeErrors = () => read().errors.map(describeContentError);

describe('posts', () => {
  test('are read newest first, with all their fields', () => {
    write('2026-10-05-first.md', { title: 'First', updated: '2026-10-07', art: 'web-security' });
    write(
      '2026-11-02-second-one.md',
      { summary: `${summary} Too.`, topics: '[defence, testing]', draft: 'true' },
      '## A heading\n\n{company.name} says `{no.fact}`.\n\n### Below\n\n```json\n{"a": {"b": 1}}\n```',
    );
    const { posts = [], errors } = read();
    expect(errors).toEqual([]);
    expect(posts).toEqual([
      {
        slug: 'second-one',
        file: 'blog/2026-11-02-second-one.md',
        title: 'A title',
        summary: `${summary} Too.`,
        topics: words.topics.toReversed(),
        date: '2026-11-02',
        isDraft: true,
        illustration: 'shield',
        body: expect.arrayContaining([['p', {}, `${company.name} says `, ['code', {}, '{no.fact}'], '.']]),
        words: 3 + company.name.split(' ').length + 3 + 2,
        images: [],
        minutes: 1,
        contents: [
          { id: 'a-heading', words: 'A heading', depth: 2 },
          { id: 'below', words: 'Below', depth: 3 },
        ],
      },
      expect.objectContaining({
        slug: 'first',
        updated: '2026-10-07',
        illustration: 'web-security',
        isDraft: false,
      }),
    ]);
    expect(JSON.stringify(posts[0]?.body)).toContain('{\\"a\\": {\\"b\\": 1}}');
  });

  test('take a minute to read per 220 words, and at least one', () => {
    write('2026-11-02-long.md', {}, 'word '.repeat(2200));
    expect(read().posts?.[0]).toMatchObject({ words: 2200, minutes: 10 });
  });

  test('need no folder, and a README or a picture is no post', () => {
    writeFileSync(join(folder, 'blog/README.md'), 'How to write');
    writeFileSync(join(folder, 'blog/picture.png'), '');
    expect(read()).toEqual({ posts: [], errors: [], warnings: [] });
    rmSync(join(folder, 'blog'), { recursive: true });
    expect(read()).toEqual({ posts: [], errors: [], warnings: [] });
    writeFileSync(join(folder, 'blog'), '');
    expect(describeErrors()).toEqual(['content/blog line 1: is a file, expected a folder of posts']);
    rmSync(join(folder, 'blog'));
  });

  test.each(['2026-11-02-x.MD', '2026-11-02-x.mdx', '2026-11-02-x.markdown', '2026-11-02-x.md.txt'])(
    'with another extension, as %s, are reported with the right name',
    name => {
      write(name);
      expect(describeErrors()).toEqual([
        `content/blog/${name} line 1: needs a file name of a date and lower-case words, such as 2026-11-02-what-we-found.md`,
      ]);
    },
  );

  test('cause a warning about other files beside them', () => {
    mkdirSync(join(folder, 'blog/2026'));
    writeFileSync(join(folder, 'blog/notes.txt'), '');
    writeFileSync(join(folder, 'blog/.DS_Store'), '');
    expect(read()).toEqual({
      posts: [],
      errors: [],
      warnings: ['2026', 'notes.txt'].map(
        name => `content/blog/${name}: is neither a post nor a picture, so it is not published`,
      ),
    });
  });

  test('cause only warnings if they are drafts and drafts are left out', () => {
    write('2026-11-01-shown.md', { title: 'One' });
    write('2026-11-02-draft.md', { title: 'One', summary: 'short', draft: 'true' });
    const { posts, errors, warnings } = readPosts(folder, company, words, { withDrafts: false });
    expect(errors).toEqual([]);
    expect(posts?.map(({ slug }) => slug)).toEqual(['shown']);
    expect(warnings).toEqual([
      'content/blog/2026-11-02-draft.md line 3: summary is 5 characters, at least 70 are needed; the post is a draft and was left out',
    ]);
    expect(describeErrors().join('\n')).toContain('2026-11-02-draft.md line 3: summary is 5 characters');
  });

  test.each<[name: string, facts: Facts, body: string, told: string]>([
    [
      'second.md',
      { date: '2026-11-02' },
      'x',
      'second.md line 1: needs a file name of a date and lower-case words',
    ],
    ['2026-11-02-Big.md', {}, 'x', 'line 1: needs a file name of a date'],
    ['2026-11-02-topics.md', {}, 'x', "line 1: cannot be called 'topics'"],
    ['2026-11-02-index.md', {}, 'x', "line 1: cannot be called 'index'"],
    ['2026-11-02-404.md', {}, 'x', "line 1: cannot be called '404'"],
    ['2026-02-30-x.md', {}, 'x', "line 5: date is '2026-02-30', expected a date"],
    [
      '2026-11-02-x.md',
      { date: '2026-11-03' },
      'x',
      'line 5: date is 2026-11-03, but the file name says 2026-11-02',
    ],
    [
      '2026-11-02-x.md',
      { updated: '2026-11-01' },
      'x',
      'line 6: updated is 2026-11-01, before its date 2026-11-02',
    ],
    ['2026-11-02-x.md', { updated: 'soon' }, 'x', "line 6: updated is 'soon', expected a date"],
    [
      '2026-11-02-x.md',
      { topics: '[testing, cats]' },
      'x',
      "line 4: entry 2 of topics is 'cats', expected one of testing, defence",
    ],
    ['2026-11-02-x.md', { topics: '[testing, testing]' }, 'x', 'line 4: topics lists one of them twice'],
    ['2026-11-02-x.md', { topics: '[]' }, 'x', 'line 4: topics has 0 entries, at least 1'],
    [
      '2026-11-02-x.md',
      { art: 'unicorn' },
      'x',
      "line 6: art is 'unicorn', expected one of computer-security,",
    ],
    ['2026-11-02-x.md', { draft: '"yes"' }, 'x', 'line 6: draft is "yes", expected true or false'],
    ['2026-11-02-x.md', { title: undefined }, 'x', 'title is missing'],
    ['2026-11-02-x.md', { title: 'x'.repeat(55) }, 'x', 'line 2: title is 67 characters including'],
    ['2026-11-02-x.md', { summary: 'short' }, 'x', 'line 3: summary is 5 characters, at least 70'],
    ['2026-11-02-x.md', { author: 'Somebody' }, 'x', 'line 6: author is not a field of this file'],
    ['2026-11-02-x.md', {}, '', 'line 9: body is empty'],
    [
      '2026-11-02-x.md',
      { title: 'A \u202Eeltit' },
      'x',
      'line 2: title contains a character that changes the writing direction',
    ],
    [
      '2026-11-02-x.md',
      {},
      'a\n\n`b \u2066c`',
      'line 10: body contains a character that changes the writing direction',
    ],
    ['2026-11-02-x.md', {}, 'a\n\n# Top', 'line 10: body has a heading of level 1'],
    [
      '2026-11-02-x.md',
      {},
      'a\n\nthe {company.fax}',
      'line 10: body uses the unknown placeholder {company.fax}',
    ],
    ['2026-11-02-x.md', {}, 'x'.repeat(1_100_000), 'line 1: the file is 2 MB, limit 1 MB'],
  ])('%s with %j is an error', (name, facts, body, expected) => {
    write(name, facts, body);
    expect(describeErrors()[0]).toContain(`content/blog/${name}`);
    expect(describeErrors().join('\n')).toContain(expected);
  });

  test('may not share an address, a title or a summary', () => {
    write('2026-11-01-same.md', { title: 'One' });
    write('2026-11-02-same.md', { title: 'One', summary: `${summary} Other.` });
    write('2026-11-03-other.md', { title: 'Other' });
    expect(describeErrors()).toEqual([
      'content/blog/2026-11-02-same.md line 1: would have the same address as 2026-11-01-same.md; rename one of them',
      'content/blog/2026-11-02-same.md line 2: title is the same as in 2026-11-01-same.md; each post needs its own',
      'content/blog/2026-11-03-other.md line 3: summary is the same as in 2026-11-01-same.md; each post needs its own',
    ]);
  });

  test('are checked even while blog.yaml has errors', () => {
    write('2026-11-02-x.md', { title: undefined, topics: '[cats]' });
    expect(readPosts(folder, undefined, undefined).errors).toEqual([
      { file: 'blog/2026-11-02-x.md', line: 2, field: 'title', reason: 'is missing' },
    ]);
  });
});

test('errors of posts follow those of pages, and neither content nor posts are returned', () => {
  write('2026-11-02-x.md', { title: undefined });
  const { content, posts, errors } = readSite(folder);
  expect(content).toBeUndefined();
  expect(posts).toBeUndefined();
  expect(errors[0]).toMatchObject({ file: 'company.yaml' });
  expect(errors.at(-1)).toMatchObject({ file: 'blog/2026-11-02-x.md' });
});

test('the shipped posts have no error', () => {
  expect(readSite(join(root, 'content')).errors).toEqual([]);
});

test('illustration names match the files', () => {
  const files = readdirSync(join(root, 'src/site/illustrations')).filter(name => name !== 'not-found.svg');
  expect(illustrationNames).toEqual(files.map(name => name.replace('.svg', '')).sort());
});

test('a day begins at midnight in London', () => {
  expect(getLondonDay(new Date('2026-06-30T23:30:00Z'))).toBe('2026-07-01');
  expect(getLondonDay(new Date('2026-11-30T23:30:00Z'))).toBe('2026-11-30');
  expect(formatDay('2026-12-01')).toBe('1 December 2026');
  expect(isDue({ isDraft: false, date: '2026-12-01' }, '2026-12-01')).toBe(true);
  expect(isDue({ isDraft: false, date: '2026-12-02' }, '2026-12-01')).toBe(false);
  expect(isDue({ isDraft: true, date: '2026-11-01' }, '2026-12-01')).toBe(false);
});
