import { expect, test } from 'vitest';
import { createPost } from '../../../tests/harness/sample-post.ts';
import { contentFolder } from '../../apps/build/vite-config.ts';
import { readContent } from '../../apps/content.ts';
import type { Content } from '../../features.content.ts';
import type { ListView, Post, PostView } from './blog-types.ts';
import { planBlog } from './plan-blog.ts';

const words = (readContent(contentFolder).content as Content).blog;
type Topic = Post['topics'][number];
const [one, two, three] = words.topics as [Topic, Topic, Topic];

const post = (number: number, topics: Topic[]) => createPost(`post-${number}`, { topics });

test('lists go on after ten posts, for all and for each topic that has any', () => {
  const posts = Array.from({ length: 21 }, (_, index) => post(index, [index < 11 ? one : two]));
  const lists = planBlog(posts, words).filter((view): view is ListView => view.kind === 'list');
  expect(lists.map(({ path, posts: shown, page, pages }) => [path, shown.length, page, pages])).toEqual([
    ['/blog', 10, 1, 3],
    ['/blog/page/2', 10, 2, 3],
    ['/blog/page/3', 1, 3, 3],
    [`/blog/topics/${one.slug}`, 10, 1, 2],
    [`/blog/topics/${one.slug}/page/2`, 1, 2, 2],
    [`/blog/topics/${two.slug}`, 10, 1, 1],
  ]);
  expect(new Set(lists.map(({ meta }) => meta.title)).size).toBe(lists.length);
  expect(new Set(lists.map(({ meta }) => meta.description)).size).toBe(lists.length);
  expect(lists[0]?.topics).toEqual([one, two]);
  expect(planBlog([], words)).toMatchObject([{ path: '/blog', posts: [], topics: [], pages: 1 }]);
});

test('a post links to at most three others, those with shared topics first', () => {
  const shared = [[one], [one, two], [one], [three], [one, two], [one]];
  const posts = shared.map((topics, index) => post(index + 1, topics));
  const views = planBlog(posts, words).filter((view): view is PostView => view.kind === 'post');
  expect(views.map(({ path }) => path)).toEqual(posts.map(({ slug }) => `/blog/${slug}`));
  expect(views[1]?.related.map(({ slug }) => slug)).toEqual(['post-5', 'post-1', 'post-3']);
  expect(views[3]?.related.map(({ slug }) => slug)).toEqual(['post-1', 'post-2', 'post-3']);
});
