import type { BlogView, ListView, Post, PostSummary, PostView, Topic } from '../../content/blog/types.ts';
import type { Content } from '../../content/schemas.ts';
import { listPath, postPath } from '../../site/paths.ts';
import { headOf } from './head-of.ts';

export const postsPerPage = 10;
const mostRelated = 3;

/** Every page of the blog, from posts that are newest first. There is a first page even where there is no post. */
export function planBlog(posts: Post[], words: Content['blog']): BlogView[] {
  const topics = words.topics.filter(topic => posts.some(post => isOn(post, topic)));
  const summaries = new Map(posts.map(post => [post, summarise(post)]));
  const short = (post: Post | undefined) => post && summaries.get(post);

  function list(of: Post[], topic?: Topic): ListView[] {
    const pages = Math.max(1, Math.ceil(of.length / postsPerPage));
    return Array.from({ length: pages }, (_, index) => {
      const shown = of.slice(index * postsPerPage, (index + 1) * postsPerPage);
      const view = {
        kind: 'list' as const,
        path: listPath(topic?.slug, index + 1),
        ...(topic && { topic }),
        topics,
        posts: shown.flatMap(post => short(post) ?? []),
        page: index + 1,
        pages,
      };
      return { ...view, head: headOf(view, words) };
    });
  }

  function show(post: Post, index: number): PostView {
    const [newer, older] = [short(posts[index - 1]), short(posts[index + 1])];
    const view = {
      kind: 'post' as const,
      path: postPath(post.slug),
      post,
      ...(newer && { newer }),
      ...(older && { older }),
      related: findRelated(post, posts).flatMap(one => short(one) ?? []),
    };
    return { ...view, head: headOf(view, words) };
  }

  const onTopics = topics.flatMap(topic =>
    list(
      posts.filter(post => isOn(post, topic)),
      topic,
    ),
  );
  return [...list(posts), ...onTopics, ...posts.map(show)];
}

/** Those that share most topics with it; of equals, the newest. */
function findRelated(post: Post, posts: Post[]): Post[] {
  const shared = (other: Post) => other.topics.filter(topic => isOn(post, topic)).length;
  return posts
    .filter(other => other !== post && shared(other) > 0)
    .map(other => ({ other, count: shared(other) }))
    .toSorted((one, two) => two.count - one.count)
    .slice(0, mostRelated)
    .map(({ other }) => other);
}

function isOn({ topics }: Post, { slug }: Topic): boolean {
  return topics.some(topic => topic.slug === slug);
}

function summarise(post: Post): PostSummary {
  const { slug, title, summary, topics, date, updated, art, minutes, isDraft } = post;
  return { slug, title, summary, topics, date, ...(updated && { updated }), art, minutes, isDraft };
}
