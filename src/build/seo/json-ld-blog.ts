import type { BlogView, Post } from '../../content/blog/blog-types.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { paths, postPath } from '../../site/paths.ts';
import type { IndexedPage } from './indexed-pages.ts';
import { companyId, type JsonLdNode } from './json-ld-company.ts';
import { openGraphSize } from './open-graph-tags.ts';

const language = 'en-GB';

export function describeBlog({ blog }: Content, page: IndexedPage, siteUrl: string): JsonLdNode[] {
  if (!page.view) return [];
  const whole: JsonLdNode = {
    '@type': 'Blog',
    '@id': blogId(siteUrl),
    url: siteUrl + paths.blog,
    name: blog.title,
    ...(page.path === paths.blog && {
      description: blog.description,
      inLanguage: language,
      publisher: { '@id': companyId(siteUrl) },
    }),
  };
  return page.view.kind === 'post' ? [whole, describePost(page.view.post, page, siteUrl)] : [whole];
}

export function describeView(view: BlogView, address: string, siteUrl: string): Record<string, unknown> {
  if (view.kind === 'post') return { mainEntity: { '@id': `${address}#post` } };
  const items = view.posts.map(({ slug, title }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    item: siteUrl + postPath(slug),
  }));
  return items.length > 0 ? { mainEntity: { '@type': 'ItemList', itemListElement: items } } : {};
}

function describePost(post: Post, { path, imagePath }: IndexedPage, siteUrl: string): JsonLdNode {
  const address = siteUrl + path;
  const topics = post.topics.map(({ name }) => name);
  return {
    '@type': 'BlogPosting',
    '@id': `${address}#post`,
    url: address,
    headline: post.title,
    description: post.summary,
    datePublished: post.date,
    dateModified: post.updated ?? post.date,
    author: { '@id': companyId(siteUrl) },
    publisher: { '@id': companyId(siteUrl) },
    image: { '@type': 'ImageObject', url: siteUrl + imagePath, ...openGraphSize },
    wordCount: post.words,
    inLanguage: language,
    ...(topics.length > 0 && { keywords: topics }),
    isPartOf: { '@id': blogId(siteUrl) },
    mainEntityOfPage: { '@id': `${address}#page` },
  };
}

function blogId(siteUrl: string): string {
  return `${siteUrl}${paths.blog}#blog`;
}
