import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import type { ListView, Post, PostView } from '../../content/blog/blog-types.ts';
import { languages } from '../../content/blog/code-languages.ts';
import { readContent } from '../../content/read-content.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { watchDuePosts } from './due-posts.ts';
import { highlight } from './highlight.ts';
import { planBlog } from './plan-blog.ts';
import { selectDuePosts } from './select-due-posts.ts';

const { content } = readContent(resolve(import.meta.dirname, '../../../content'));
const words = (content as Content).blog;
const [one, two, three] = words.topics;

function post(number: number, more: Partial<Post> = {}): Post {
  const day = String(28 - (number % 28)).padStart(2, '0');
  return {
    slug: `post-${number}`,
    file: join('blog', `2026-01-${day}-post-${number}.md`),
    title: `Post ${number}`,
    summary: `About ${number}`,
    topics: one ? [one] : [],
    date: `2026-01-${day}`,
    isDraft: false,
    illustration: 'shield',
    body: [],
    words: 1,
    images: [],
    minutes: 1,
    contents: [],
    ...more,
  };
}

test('a blog without posts has its first page and nothing else', () => {
  expect(planBlog([], words)).toEqual([
    expect.objectContaining({ kind: 'list', path: '/blog', posts: [], topics: [], page: 1, pages: 1 }),
  ]);
});

test('lists go on after ten posts, for all and for each topic that has any', () => {
  const posts = Array.from({ length: 21 }, (_, index) =>
    post(index, { topics: [index < 11 ? one : two].flatMap(topic => topic ?? []) }),
  );
  const lists = planBlog(posts, words).filter((view): view is ListView => view.kind === 'list');
  expect(lists.map(({ path, posts: shown, page, pages }) => [path, shown.length, page, pages])).toEqual([
    ['/blog', 10, 1, 3],
    ['/blog/page/2', 10, 2, 3],
    ['/blog/page/3', 1, 3, 3],
    [`/blog/topics/${one?.slug}`, 10, 1, 2],
    [`/blog/topics/${one?.slug}/page/2`, 1, 2, 2],
    [`/blog/topics/${two?.slug}`, 10, 1, 1],
  ]);
  expect(new Set(lists.map(({ head }) => head.title)).size).toBe(lists.length);
  expect(new Set(lists.map(({ head }) => head.description)).size).toBe(lists.length);
  expect(lists[0]?.topics).toEqual([one, two]);
});

test('a post links to its neighbours and to at most three posts with shared topics', () => {
  const topics = [one, two, three].flatMap(topic => topic ?? []);
  const posts = [
    post(1, { topics: topics.slice(0, 1) }),
    post(2, { topics: topics.slice(0, 2) }),
    post(3, { topics: topics.slice(0, 1) }),
    post(4, { topics: topics.slice(2, 3) }),
    post(5, { topics: topics.slice(0, 2) }),
    post(6, { topics: topics.slice(0, 1) }),
  ];
  const views = planBlog(posts, words).filter((view): view is PostView => view.kind === 'post');
  expect(views.map(({ path }) => path)).toEqual(posts.map(({ slug }) => `/blog/${slug}`));
  const [first, second] = views;
  expect(first).not.toHaveProperty('newer');
  expect(first?.older?.slug).toBe('post-2');
  expect(views.at(-1)).not.toHaveProperty('older');
  expect(second?.newer?.slug).toBe('post-1');
  expect(second?.related.map(({ slug }) => slug)).toEqual(['post-5', 'post-1', 'post-3']);
  expect(views[3]?.related).toEqual([]);
});

test('a build leaves out drafts and future posts, and lists the latter', () => {
  const posts = [
    post(1, { date: '2026-12-02', file: 'blog/2026-12-02-later.md' }),
    post(2, { date: '2026-12-03', isDraft: true }),
    post(3, { date: '2026-12-01', file: 'blog/2026-12-01-today.md' }),
    post(4, { isDraft: true }),
  ];
  const { shown, noted, early } = selectDuePosts(posts, new Date('2026-12-01T08:00:00Z'));
  expect(shown.map(({ slug }) => slug)).toEqual(['post-3']);
  expect(noted).toEqual({
    shown: ['blog/2026-12-01-today.md'],
    waiting: [{ file: 'blog/2026-12-02-later.md', date: '2026-12-02' }],
  });
  expect(early).toEqual([
    'content/blog/2026-12-02-later.md: is dated 2 December 2026, so this build leaves it out',
  ]);
});

test('an updated date in the future is a warning, and one of today is not', () => {
  const posts = [
    post(1, { date: '2026-11-01', updated: '2027-11-02', file: 'blog/2026-11-01-slip.md' }),
    post(2, { date: '2026-11-01', updated: '2026-12-01' }),
  ];
  expect(selectDuePosts(posts, new Date('2026-12-01T08:00:00Z')).early).toEqual([
    'content/blog/2026-11-01-slip.md: has an updated date of 2 November 2027, which is in the future',
  ]);
});

test('a post that became due after the build is logged once', () => {
  const { log, lines } = collectLog();
  const noted = { shown: [], waiting: [{ file: 'blog/2026-12-02-later.md', date: '2026-12-02' }] };
  using _early = watchDuePosts(noted, { clock: { now: () => new Date('2026-12-01T23:59:00Z') }, log });
  expect(lines).toEqual([]);
  using _later = watchDuePosts(noted, { clock: { now: () => new Date('2026-12-02T00:00:00Z') }, log });
  expect(lines).toEqual([
    expect.stringMatching(
      /"post due and not shown","post":"content\/blog\/2026-12-02-later.md","date":"2026-12-02"/,
    ),
  ]);
  using _none = watchDuePosts(undefined, { clock: { now: () => new Date() }, log });
  expect(lines).toHaveLength(1);
});

test('highlighted code has only hljs classes and keeps its text', () => {
  for (const language of languages) {
    const code = 'GET / HTTP/1.1\nHost: a\n\n<b class="x">"y" # {"z": 1}</b>\n';
    const [[, , ...parts] = []] = highlight([
      ['code', { class: `language-${language}` }, code],
    ]) as unknown[][];
    const shown = JSON.stringify(parts);
    for (const [, name = ''] of shown.matchAll(/"class":"([^"]*)"/g)) expect(name).toMatch(/^hljs-/);
    expect(textOf(parts), language).toBe(code);
  }
  expect(JSON.stringify(highlight([['code', { class: 'language-json' }, '{"a": 1}']]))).toContain(
    'hljs-attr',
  );
});

function textOf(parts: unknown[]): string {
  return parts.map(part => (Array.isArray(part) ? textOf(part.slice(2)) : String(part))).join('');
}
