import type { PageView } from '../../core/content/page-view.ts';
import type { BlogView, ListView, Post, PostView, Topic } from './blog-types.ts';
import { listPath, postPath } from './contract.ts';
import { describeView } from './describe-view.ts';
import type { BlogTexts } from './schemas/blog.ts';

const postsPerPage = 10;
const maxRelated = 3;

export function planBlog(posts: Post[], texts: BlogTexts): BlogView[] {
  const topics = texts.topics.filter(topic => posts.some(post => hasTopic(post, topic)));

  function list(of: Post[], topic?: Topic): ListView[] {
    const pages = Math.max(1, Math.ceil(of.length / postsPerPage));
    return Array.from({ length: pages }, (_, index) => {
      const shown = of.slice(index * postsPerPage, (index + 1) * postsPerPage);
      const view = {
        kind: 'list' as const,
        path: listPath(topic?.slug, index + 1),
        ...(topic && { topic }),
        topics,
        posts: shown,
        page: index + 1,
        pages,
      };
      return { ...view, meta: describeMeta(view, texts), ...describeView(view, texts) };
    });
  }

  function show(post: Post): PostView {
    const view = {
      kind: 'post' as const,
      path: postPath(post.slug),
      post,
      related: findRelated(post, posts),
    };
    return { ...view, meta: describeMeta(view, texts), ...describeView(view, texts) };
  }

  const onTopics = topics.flatMap(topic =>
    list(
      posts.filter(post => hasTopic(post, topic)),
      topic,
    ),
  );
  return [...list(posts), ...onTopics, ...posts.map(show)];
}

/** Posts that share topics come first, then the newest: one post alone would leave most of the row empty. */
function findRelated(post: Post, posts: Post[]): Post[] {
  const shared = (other: Post) => other.topics.filter(topic => hasTopic(post, topic)).length;
  return posts
    .filter(other => other !== post)
    .map(other => ({ other, count: shared(other) }))
    .toSorted((one, two) => two.count - one.count)
    .slice(0, maxRelated)
    .map(({ other }) => other);
}

function hasTopic({ topics }: Post, { slug }: Topic): boolean {
  return topics.some(topic => topic.slug === slug);
}

type Planned<View> = View extends BlogView ? Omit<View, Exclude<keyof PageView, 'path'>> : never;

function describeMeta(view: Planned<BlogView>, texts: BlogTexts): PageView['meta'] {
  if (view.kind === 'post') {
    const { title, summary } = view.post;
    return { title, description: summary, imageHeading: title };
  }
  const { topic, page, pages } = view;
  const { topicTitle, topicDescription, pageTitle } = texts.list;
  const place = fill(texts.list.place, { number: String(page), total: String(pages) });
  const first = topic
    ? {
        title: fill(topicTitle, { topic: topic.name }),
        description: fill(topicDescription, { topic: topic.name }),
      }
    : texts;
  return {
    title: page > 1 ? fill(pageTitle, { title: first.title, number: String(page) }) : first.title,
    description: page > 1 ? `${place}. ${first.description}` : first.description,
    imageHeading: texts.imageHeading,
  };
}

function fill(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
