import {
  isExampleAddress,
  isExampleEmail,
  isExampleHost,
  isExamplePhone,
} from '../../../core/content/example-data.ts';
import type { BlogView, Post } from '../../../features/blog/blog-types.ts';
import { blogPath, postPath } from '../../../features/blog/contract.ts';
import type { Content } from '../../../features.content.ts';
import { paths } from '../../../ui/paths.ts';
import type { IndexedPage } from './indexed-pages.ts';
import { openGraphSize } from './open-graph-tags.ts';
import { iconPaths } from './web-manifest.ts';

type JsonLdNode = { '@type': string; '@id'?: string; [property: string]: unknown };
export type JsonLd = { '@context': 'https://schema.org'; '@graph': JsonLdNode[] };

export function buildJsonLd(content: Content, page: IndexedPage, siteUrl: string): JsonLd {
  const pageUrl = siteUrl + page.path;
  const isHome = page.path === paths.home;
  const trail = isHome ? [] : [describeBreadcrumbs(content, page, siteUrl)];
  const website: JsonLdNode = {
    '@type': 'WebSite',
    '@id': `${siteUrl}/#website`,
    url: `${siteUrl}/`,
    name: content.brand.name,
    ...(isHome && { description: content.home.description, inLanguage: language }),
    publisher: { '@id': companyId(siteUrl) },
  };
  const shown: JsonLdNode = {
    '@type': page.schemaType ?? 'WebPage',
    '@id': `${pageUrl}#page`,
    url: pageUrl,
    name: page.title,
    description: page.description,
    inLanguage: language,
    isPartOf: { '@id': website['@id'] },
    ...(isHome && { about: { '@id': companyId(siteUrl) } }),
    primaryImageOfPage: { '@type': 'ImageObject', url: siteUrl + page.imagePath },
    ...(page.updated && { dateModified: page.updated }),
    ...(trail[0] && { breadcrumb: { '@id': trail[0]['@id'] } }),
    ...(page.view && describeView(page.view, pageUrl, siteUrl)),
  };
  return {
    '@context': 'https://schema.org',
    '@graph': [
      isHome ? describeCompany(content, siteUrl) : referToCompany(content, siteUrl),
      website,
      shown,
      ...trail,
      ...listServices(content, page.path, siteUrl),
      ...describeBlog(content, page, siteUrl),
    ],
  };
}

/** Schema.org knows no bare number as a width: E37 is the pixel of UN/CEFACT. */
function describeImage(url: string, { width, height }: { width: number; height: number }): JsonLdNode {
  const pixels = (value: number) => ({ '@type': 'QuantitativeValue', value, unitCode: 'E37' });
  return { '@type': 'ImageObject', url, width: pixels(width), height: pixels(height) };
}

const language = 'en-GB';

function describeBreadcrumbs(
  { brand, blog }: Content,
  { title, path, view }: IndexedPage,
  siteUrl: string,
): JsonLdNode {
  const isWithin = view !== undefined && path !== blogPath;
  const steps = [
    { name: findHomeLabel(brand), item: `${siteUrl}/` },
    ...(isWithin ? [{ name: blog.title, item: siteUrl + blogPath }] : []),
    { name: title, item: siteUrl + path },
  ];
  return {
    '@type': 'BreadcrumbList',
    '@id': `${siteUrl}${path}#trail`,
    itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
  };
}

function findHomeLabel({ menu, name }: Content['brand']): string {
  return menu.find(({ path }) => path === paths.home)?.label ?? name;
}

/** By name: what each one is stands in the page itself, at its fragment. */
function listServices({ services, home }: Content, path: string, siteUrl: string): JsonLdNode[] {
  const own = services.services;
  const named: Record<string, { id: string; name: string }[]> = {
    [paths.services]: own,
    [paths.home]: own.filter(({ id }) => home.offer.cards.includes(id)),
  };
  return (named[path] ?? []).map(({ id, name }) => ({
    '@type': 'Service',
    '@id': `${siteUrl}${paths.services}#${id}`,
    name,
    provider: { '@id': companyId(siteUrl) },
  }));
}

/** Example numbers and addresses are left out: search engines would store them as true. */
function describeCompany({ brand, company, seo }: Content, siteUrl: string): JsonLdNode {
  const { email, phone, address, addressNote, registration } = company;
  const profiles = brand.social.map(({ url }) => url);
  const real = profiles.filter(url => !isExampleHost(new URL(url).hostname));
  return {
    '@type': 'Organization',
    '@id': companyId(siteUrl),
    url: `${siteUrl}/`,
    name: brand.name,
    description: seo.summary,
    logo: describeImage(siteUrl + iconPaths.large, { width: 512, height: 512 }),
    ...(!isExampleEmail(email) && { email }),
    ...(!isExamplePhone(phone) && { telephone: phone }),
    ...(!isExampleAddress([...address, addressNote ?? '']) && { address: address.join(', ') }),
    ...(brand.legalName && { legalName: brand.legalName }),
    ...(registration.vat && { vatID: registration.vat }),
    ...(real.length > 0 && { sameAs: real }),
  };
}

function referToCompany({ brand }: Content, siteUrl: string): JsonLdNode {
  return { '@type': 'Organization', '@id': companyId(siteUrl), url: `${siteUrl}/`, name: brand.name };
}

function companyId(siteUrl: string): string {
  return `${siteUrl}/#company`;
}

function describeBlog({ blog }: Content, page: IndexedPage, siteUrl: string): JsonLdNode[] {
  if (!page.view) return [];
  const whole: JsonLdNode = {
    '@type': 'Blog',
    '@id': blogId(siteUrl),
    url: siteUrl + blogPath,
    name: blog.title,
    ...(page.path === blogPath && {
      description: blog.description,
      inLanguage: language,
      publisher: { '@id': companyId(siteUrl) },
    }),
  };
  return page.view.kind === 'post' ? [whole, describePost(page.view.post, page, siteUrl)] : [whole];
}

function describeView(view: BlogView, pageUrl: string, siteUrl: string): Record<string, unknown> {
  if (view.kind === 'post') return { mainEntity: { '@id': `${pageUrl}#post` } };
  const items = view.posts.map(({ slug, title }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    item: siteUrl + postPath(slug),
  }));
  return items.length > 0 ? { mainEntity: { '@type': 'ItemList', itemListElement: items } } : {};
}

function describePost(post: Post, { path, imagePath }: IndexedPage, siteUrl: string): JsonLdNode {
  const pageUrl = siteUrl + path;
  const topics = post.topics.map(({ name }) => name);
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
    image: describeImage(siteUrl + imagePath, openGraphSize),
    wordCount: post.wordCount,
    inLanguage: language,
    ...(topics.length > 0 && { keywords: topics }),
    isPartOf: { '@id': blogId(siteUrl) },
    mainEntityOfPage: { '@id': `${pageUrl}#page` },
  };
}

function blogId(siteUrl: string): string {
  return `${siteUrl}${blogPath}#blog`;
}
