import { openGraphSize, type PageView, type ViewJsonLd } from '../../core/content/page-view.ts';
import { companyId, describeImage, type JsonLdNode, siteLanguage } from '../../lib/json-ld.ts';
import { openGraphImagePath } from '../../ui/paths.ts';
import type { BlogView, Post, PostSummary } from './blog-types.ts';
import { blogPath, postPath } from './contract.ts';
import { blog } from './pages.ts';
import type { BlogTexts } from './schemas/blog.ts';

type Described = Exclude<keyof PageView, 'path' | 'meta'>;
type Undescribed<View> = View extends BlogView ? Omit<View, Described | 'meta'> : never;

const [{ name, indexed }] = blog.pages;

/** What the build tells others of it: search engines, feeds and link previews. */
export function describeView(view: Undescribed<BlogView>, texts: BlogTexts): Pick<PageView, Described> {
  const { path } = view;
  const within = path === blogPath ? {} : { within: { name: texts.title, path: blogPath } };
  if (view.kind === 'list') {
    return {
      picture: { path: openGraphImagePath(name), label: texts.title, illustration: indexed.illustration },
      updated: lastChange(view.posts),
      describe: siteUrl => ({
        ...within,
        schemaType: indexed.schemaType,
        properties: describeItems(view.posts, siteUrl),
        nodes: [describeBlog(texts, path, siteUrl)],
      }),
    };
  }
  const { post } = view;
  const { slug, topics, illustration, file } = post;
  const picture = { path: `/share/blog/${slug}.jpg`, label: topics[0]?.name ?? texts.title, illustration };
  return {
    picture,
    updated: lastChange([post]),
    file,
    openGraph: { type: 'article', tags: listTags(post) },
    describe: (siteUrl): ViewJsonLd => ({
      ...within,
      properties: { mainEntity: { '@id': `${siteUrl}${path}#post` } },
      nodes: [describeBlog(texts, path, siteUrl), describePost(post, { path, image: picture.path }, siteUrl)],
    }),
  };
}

export function lastChange(posts: Pick<PostSummary, 'date' | 'updated'>[]): string | undefined {
  return posts
    .map(({ date, updated }) => updated ?? date)
    .sort()
    .at(-1);
}

function listTags({ date, updated, topics }: Post): [name: string, value: string][] {
  return [
    ['article:published_time', date],
    ...(updated ? [['article:modified_time', updated] satisfies [string, string]] : []),
    ...topics.slice(0, 1).map((topic): [string, string] => ['article:section', topic.name]),
    ...topics.map((topic): [string, string] => ['article:tag', topic.name]),
  ];
}

function describeItems(posts: PostSummary[], siteUrl: string): Record<string, unknown> {
  const items = posts.map(({ slug, title }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    item: siteUrl + postPath(slug),
  }));
  return items.length > 0 ? { mainEntity: { '@type': 'ItemList', itemListElement: items } } : {};
}

function describeBlog(texts: BlogTexts, path: string, siteUrl: string): JsonLdNode {
  return {
    '@type': 'Blog',
    '@id': blogId(siteUrl),
    url: siteUrl + blogPath,
    name: texts.title,
    ...(path === blogPath && {
      description: texts.description,
      inLanguage: siteLanguage,
      publisher: { '@id': companyId(siteUrl) },
    }),
  };
}

function describePost(post: Post, at: { path: string; image: string }, siteUrl: string): JsonLdNode {
  const pageUrl = siteUrl + at.path;
  const topics = post.topics.map(topic => topic.name);
  return {
    '@type': 'BlogPosting',
    '@id': `${pageUrl}#post`,
    url: pageUrl,
    headline: post.title,
    description: post.summary,
    datePublished: post.date,
    dateModified: post.updated ?? post.date,
    author: { '@id': companyId(siteUrl) },
    publisher: { '@id': companyId(siteUrl) },
    image: describeImage(siteUrl + at.image, openGraphSize),
    wordCount: post.wordCount,
    inLanguage: siteLanguage,
    ...(topics.length > 0 && { keywords: topics }),
    isPartOf: { '@id': blogId(siteUrl) },
    mainEntityOfPage: { '@id': `${pageUrl}#page` },
  };
}

function blogId(siteUrl: string): string {
  return `${siteUrl}${blogPath}#blog`;
}
