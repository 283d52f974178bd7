import { expect, test } from 'vitest';
import { findJsonLdErrors } from '../../../tests/harness/json-ld.ts';
import { createPost } from '../../../tests/harness/sample-post.ts';
import { readContent } from '../../content/read-content.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { planBlog } from '../blog/plan-blog.ts';
import { contentFolder } from '../vite-config.ts';
import { listIndexedPages } from './indexed-pages.ts';
import { writeJsonLd } from './json-ld.ts';
import { writeLlmsTxt } from './llms-txt.ts';
import { addOpenGraphUrls, planOpenGraphImages } from './open-graph-images.ts';
import { writeOpenGraphTags } from './open-graph-tags.ts';
import { writeSitemap } from './sitemap.ts';

const content = readContent(contentFolder).content as Content;
const siteUrl = 'https://www.quiet.co.uk';
const [topic] = content.blog.topics as [{ slug: string; name: string }];
const days = Array.from({ length: 25 }, (_, index) => `2026-10-${String(25 - index).padStart(2, '0')}`);
const posts = days.map(date => createPost(`of-${date}`, { date, topics: [topic] }));
const [newest, oldest] = [
  { ...posts[0], art: 'contact' },
  { ...posts[24], updated: '2026-11-09' },
];
const views = planBlog([newest, ...posts.slice(1, 24), oldest] as typeof posts, content.blog);
const pages = listIndexedPages(content, views);
const pageAt = (path: string) => {
  const page = pages.find(one => one.path === path);
  if (!page) throw new Error(`${path} is not to be found`);
  return page;
};
const graphOf = (path: string) => writeJsonLd(content, pageAt(path), siteUrl);

test('every list page and every post is indexed, each with its own title', () => {
  const lists = ['/blog', `/blog/topics/${topic.slug}`];
  const paths = lists.flatMap(list => [list, `${list}/page/2`, `${list}/page/3`]);
  const ofBlog = pages.filter(({ name }) => name === 'blog');
  expect(ofBlog.map(({ path }) => path)).toEqual([...paths, ...days.map(date => `/blog/of-${date}`)]);
  expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
  expect(pageAt('/blog/page/2').title).toMatch(/\bpage 2$/);
  expect(pageAt(`/blog/topics/${topic.slug}/page/3`).title).toMatch(/\bpage 3$/);
});

test('the sitemap has the last change of posts and lists', () => {
  const sitemap = writeSitemap(pages, siteUrl);
  const lastModified = (path: string) =>
    new RegExp(`<loc>${siteUrl}${path}</loc><lastmod>(.*?)</lastmod>`).exec(sitemap)?.[1];
  expect(lastModified('/blog')).toBe('2026-10-25');
  expect(lastModified('/blog/of-2026-10-24')).toBe('2026-10-24');
  expect(lastModified('/blog/of-2026-10-01')).toBe('2026-11-09');
  expect(lastModified('/blog/page/3')).toBe('2026-11-09');
});

test('every page of the blog has valid JSON-LD', () => {
  for (const { path } of views) expect(findJsonLdErrors(graphOf(path)), path).toEqual([]);
  expect(graphOf('/blog/page/2')['@graph'].map(node => node['@type'])).toEqual([
    'Organization',
    'WebSite',
    'CollectionPage',
    'BreadcrumbList',
    'Blog',
  ]);
  const empty = listIndexedPages(content, planBlog([], content.blog)).find(({ path }) => path === '/blog');
  expect(empty && findJsonLdErrors(writeJsonLd(content, empty, siteUrl))).toEqual([]);
});

test('a post is a BlogPosting of the company, part of the blog', () => {
  const address = `${siteUrl}/blog/of-2026-10-01`;
  const nodes = graphOf('/blog/of-2026-10-01')['@graph'];
  const company = { '@id': `${siteUrl}/#company` };
  expect(nodes.find(node => node['@type'] === 'BlogPosting')).toMatchObject({
    url: address,
    headline: 'On of-2026-10-01',
    datePublished: '2026-10-01',
    dateModified: '2026-11-09',
    author: company,
    publisher: company,
    image: { url: `${siteUrl}/share/blog/of-2026-10-01.jpg`, width: 1200, height: 630 },
    wordCount: 1,
    keywords: [topic.name],
  });
  const trail = nodes.find(node => node['@type'] === 'BreadcrumbList')?.itemListElement;
  expect((trail as { item: string }[]).map(({ item }) => item)).toEqual([
    `${siteUrl}/`,
    `${siteUrl}/blog`,
    address,
  ]);
});

test('a post has the Open Graph type article and its date', () => {
  const tags = writeOpenGraphTags('Quiet', true, views.at(-1));
  expect(tags).toContain('<meta property="og:type" content="article">');
  expect(tags).toContain('<meta property="article:published_time" content="2026-10-01">');
  expect(tags).toContain('<meta property="article:modified_time" content="2026-11-09">');
  expect(tags).toContain(`<meta property="article:tag" content="${topic.name}">`);
  expect(writeOpenGraphTags('Quiet', true, views[0])).not.toContain('article');
});

test('each post has its own Open Graph image, and all lists share one', () => {
  const pictures = planOpenGraphImages(content, pages, siteUrl);
  expect(pictures.filter(({ path }) => path.startsWith('/share/blog'))).toHaveLength(26);
  expect(new Set(pictures.map(({ key }) => key)).size).toBe(pictures.length);
  const shares = addOpenGraphUrls(content, views, siteUrl).map(({ head }) => head.imageUrl);
  expect(new Set(shares.slice(0, 6)).size).toBe(1);
  expect(shares[0]).toMatch(/^\/share\/blog\.jpg\?v=[0-9a-f]{8}$/);
  expect(shares[6]).toMatch(/^\/share\/blog\/of-2026-10-25\.jpg\?v=[0-9a-f]{8}$/);
  expect(addOpenGraphUrls(content, views, undefined)[0]?.head.imageUrl).toBeUndefined();
});

test('llms.txt lists the posts and the first page of the blog', () => {
  const lines = writeLlmsTxt(content, pages, siteUrl).split('\n');
  const links = lines.flatMap(line => /^- \[.*?\]\((.*?\/blog.*?)\)/.exec(line)?.[1] ?? []);
  expect(links).toEqual([`${siteUrl}/blog`, ...days.map(date => `${siteUrl}/blog/of-${date}`)]);
  expect(writeLlmsTxt(content, listIndexedPages(content, planBlog([], content.blog)), siteUrl)).not.toContain(
    content.found.headings.posts,
  );
});
