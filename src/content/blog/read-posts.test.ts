import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeMistake, readContent } from '../read-content.ts';
import type { Content } from '../schemas/all-schemas.ts';
import { dayOf, isDue, writeDay } from './dates.ts';
import { artNames } from './post-schema.ts';
import { readPosts } from './read-posts.ts';
import { readSite } from './read-site.ts';
import type { PostWords } from './types.ts';

const root = resolve(import.meta.dirname, '../../..');
const { company } = readContent(join(root, 'content')).content as Content;
const words: PostWords = {
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
const told = () => read().mistakes.map(describeMistake);

describe('posts', () => {
  test('are read newest first, with what their files say', () => {
    write('2026-10-05-first.md', { title: 'First', updated: '2026-10-07', art: 'web-security' });
    write(
      '2026-11-02-second-one.md',
      { summary: `${summary} Too.`, topics: '[defence, testing]', draft: 'true' },
      '## A heading\n\n{company.name} says `{no.fact}`.\n\n### Below\n\n```json\n{"a": {"b": 1}}\n```',
    );
    const { posts = [], mistakes } = read();
    expect(mistakes).toEqual([]);
    expect(posts).toEqual([
      {
        slug: 'second-one',
        file: 'blog/2026-11-02-second-one.md',
        title: 'A title',
        summary: `${summary} Too.`,
        topics: words.topics.toReversed(),
        date: '2026-11-02',
        isDraft: true,
        art: 'shield',
        body: expect.arrayContaining([['p', {}, `${company.name} says `, ['code', {}, '{no.fact}'], '.']]),
        words: 3 + company.name.split(' ').length + 3 + 2,
        pictures: [],
        minutes: 1,
        contents: [
          { id: 'a-heading', words: 'A heading', depth: 2 },
          { id: 'below', words: 'Below', depth: 3 },
        ],
      },
      expect.objectContaining({ slug: 'first', updated: '2026-10-07', art: 'web-security', isDraft: false }),
    ]);
    expect(JSON.stringify(posts[0]?.body)).toContain('{\\"a\\": {\\"b\\": 1}}');
  });

  test('take a minute for 220 words, and at least one', () => {
    write('2026-11-02-long.md', {}, 'word '.repeat(2200));
    expect(read().posts?.[0]).toMatchObject({ words: 2200, minutes: 10 });
  });

  test('need no folder, and a README or a picture among them is none', () => {
    writeFileSync(join(folder, 'blog/README.md'), 'How to write');
    writeFileSync(join(folder, 'blog/picture.png'), '');
    expect(read()).toEqual({ posts: [], mistakes: [], warnings: [] });
    rmSync(join(folder, 'blog'), { recursive: true });
    expect(read()).toEqual({ posts: [], mistakes: [], warnings: [] });
    writeFileSync(join(folder, 'blog'), '');
    expect(told()).toEqual(['content/blog line 1: is a file, expected a folder of posts']);
    rmSync(join(folder, 'blog'));
  });

  test.each(['2026-11-02-x.MD', '2026-11-02-x.mdx', '2026-11-02-x.markdown', '2026-11-02-x.md.txt'])(
    'with another ending, as %s, are told how to be called',
    name => {
      write(name);
      expect(told()).toEqual([
        `content/blog/${name} line 1: needs a name of a day and lower-case words, such as 2026-11-02-what-we-found.md`,
      ]);
    },
  );

  test('stand beside nothing that nothing shows, or their owner is told', () => {
    mkdirSync(join(folder, 'blog/2026'));
    writeFileSync(join(folder, 'blog/notes.txt'), '');
    writeFileSync(join(folder, 'blog/.DS_Store'), '');
    expect(read()).toEqual({
      posts: [],
      mistakes: [],
      warnings: ['2026', 'notes.txt'].map(
        name => `content/blog/${name}: is no post and no picture, so nothing shows it`,
      ),
    });
  });

  test('that are drafts stop nothing where drafts are left out', () => {
    write('2026-11-01-shown.md', { title: 'One' });
    write('2026-11-02-draft.md', { title: 'One', summary: 'short', draft: 'true' });
    const { posts, mistakes, warnings } = readPosts(folder, company, words, { withDrafts: false });
    expect(mistakes).toEqual([]);
    expect(posts?.map(({ slug }) => slug)).toEqual(['shown']);
    expect(warnings).toEqual([
      'content/blog/2026-11-02-draft.md line 3: summary is 5 characters, at least 70 are needed; it is a draft and left out',
    ]);
    expect(told().join('\n')).toContain('2026-11-02-draft.md line 3: summary is 5 characters');
  });

  test.each<[name: string, facts: Facts, body: string, told: string]>([
    [
      'second.md',
      { date: '2026-11-02' },
      'x',
      'second.md line 1: needs a name of a day and lower-case words',
    ],
    ['2026-11-02-Big.md', {}, 'x', 'line 1: needs a name of a day'],
    ['2026-11-02-topics.md', {}, 'x', "line 1: may not be called 'topics'"],
    ['2026-11-02-index.md', {}, 'x', "line 1: may not be called 'index'"],
    ['2026-11-02-404.md', {}, 'x', "line 1: may not be called '404'"],
    ['2026-02-30-x.md', {}, 'x', "line 5: date is '2026-02-30', expected a date"],
    [
      '2026-11-02-x.md',
      { date: '2026-11-03' },
      'x',
      "line 5: date is 2026-11-03, and the file's name says 2026-11-02",
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
    ['2026-11-02-x.md', { topics: '[testing, testing]' }, 'x', 'line 4: topics has one of them twice'],
    ['2026-11-02-x.md', { topics: '[]' }, 'x', 'line 4: topics has 0 entries, at least 1'],
    [
      '2026-11-02-x.md',
      { art: 'unicorn' },
      'x',
      "line 6: art is 'unicorn', expected one of computer-security,",
    ],
    ['2026-11-02-x.md', { draft: '"yes"' }, 'x', 'line 6: draft is "yes", expected true or false'],
    ['2026-11-02-x.md', { title: undefined }, 'x', 'title is missing'],
    ['2026-11-02-x.md', { title: 'x'.repeat(55) }, 'x', 'line 2: title is 67 characters together with'],
    ['2026-11-02-x.md', { summary: 'short' }, 'x', 'line 3: summary is 5 characters, at least 70'],
    ['2026-11-02-x.md', { author: 'Somebody' }, 'x', 'line 6: author is not a field of this file'],
    ['2026-11-02-x.md', {}, '', 'line 9: body is empty'],
    [
      '2026-11-02-x.md',
      { title: 'A \u202Eeltit' },
      'x',
      'line 2: title holds a mark that turns the direction',
    ],
    ['2026-11-02-x.md', {}, 'a\n\n`b \u2066c`', 'line 10: body holds a mark that turns the direction'],
    ['2026-11-02-x.md', {}, 'a\n\n# Top', 'line 10: body has a heading of level 1'],
    ['2026-11-02-x.md', {}, 'a\n\nthe {company.fax}', 'line 10: body names the unknown fact {company.fax}'],
    ['2026-11-02-x.md', {}, 'x'.repeat(1_100_000), 'line 1: the file is 2 MB, limit 1 MB'],
  ])('%s with %j is a mistake that is named', (name, facts, body, expected) => {
    write(name, facts, body);
    expect(told()[0]).toContain(`content/blog/${name}`);
    expect(told().join('\n')).toContain(expected);
  });

  test('that share an address, a title or a summary are told apart by their owner', () => {
    write('2026-11-01-same.md', { title: 'One' });
    write('2026-11-02-same.md', { title: 'One', summary: `${summary} Other.` });
    write('2026-11-03-other.md', { title: 'Other' });
    expect(told()).toEqual([
      'content/blog/2026-11-02-same.md line 1: would have the same address as 2026-11-01-same.md; name one of them differently',
      'content/blog/2026-11-02-same.md line 2: title is the same as that of 2026-11-01-same.md; nobody could tell them apart',
      'content/blog/2026-11-03-other.md line 3: summary is the same as that of 2026-11-01-same.md; nobody could tell them apart',
    ]);
  });

  test('are looked at even while the words around them have mistakes', () => {
    write('2026-11-02-x.md', { title: undefined, topics: '[cats]' });
    expect(readPosts(folder, undefined, undefined).mistakes).toEqual([
      { file: 'blog/2026-11-02-x.md', line: 2, field: 'title', reason: 'is missing' },
    ]);
  });
});

test('a mistake of a post is told after those of pages, and then there is neither content nor a post', () => {
  write('2026-11-02-x.md', { title: undefined });
  const { content, posts, mistakes } = readSite(folder);
  expect(content).toBeUndefined();
  expect(posts).toBeUndefined();
  expect(mistakes[0]).toMatchObject({ file: 'company.yaml' });
  expect(mistakes.at(-1)).toMatchObject({ file: 'blog/2026-11-02-x.md' });
});

test("the company's own posts have no mistake", () => {
  expect(readSite(join(root, 'content')).mistakes).toEqual([]);
});

test('art has the names of its files', () => {
  const files = readdirSync(join(root, 'src/site/illustrations')).filter(name => name !== 'not-found.svg');
  expect(artNames).toEqual(files.map(name => name.replace('.svg', '')).sort());
});

test('a day begins when it begins in London', () => {
  expect(dayOf(new Date('2026-06-30T23:30:00Z'))).toBe('2026-07-01');
  expect(dayOf(new Date('2026-11-30T23:30:00Z'))).toBe('2026-11-30');
  expect(writeDay('2026-12-01')).toBe('1 December 2026');
  expect(isDue({ isDraft: false, date: '2026-12-01' }, '2026-12-01')).toBe(true);
  expect(isDue({ isDraft: false, date: '2026-12-02' }, '2026-12-01')).toBe(false);
  expect(isDue({ isDraft: true, date: '2026-11-01' }, '2026-12-01')).toBe(false);
});
