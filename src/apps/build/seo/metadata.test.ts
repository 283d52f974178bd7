import { expect, test } from 'vitest';
import { findJsonLdErrors } from '../../../../tests/harness/json-ld.ts';
import { createPost } from '../../../../tests/harness/sample-post.ts';
import { planBlog } from '../../../features/blog/plan-blog.ts';
import type { Content } from '../../../features.content.ts';
import { readContent } from '../../content.ts';
import { contentFolder } from '../vite-config.ts';
import { listIndexedPages } from './indexed-pages.ts';
import { buildJsonLd } from './json-ld.ts';
import { getOpenGraphVersion, planOpenGraphImages } from './open-graph-images.ts';
import { renderOpenGraphTags } from './open-graph-tags.ts';
import { formatRobots, renderSitemap } from './sitemap.ts';

const content = readContent(contentFolder).content as Content;
const siteUrl = 'https://www.quiet.co.uk';
const [topic] = content.blog.topics as [{ slug: string; name: string }];
const days = Array.from({ length: 12 }, (_, index) => `2026-10-${30 - index}`);
const posts = days.map(date => createPost(`of-${date}`, { date, topics: [topic] }));
const oldest = { ...posts[11], updated: '2026-11-09' } as (typeof posts)[number];
const views = planBlog([...posts.slice(0, 11), oldest], content.blog);

function graphOf(path: string, shown = views) {
  const page = listIndexedPages(content, shown).find(one => one.path === path);
  if (!page) throw new Error(`${path} is not indexed`);
  return buildJsonLd(content, page, siteUrl);
}

test('the sitemap has the last change of posts and lists, and of pages with a date', () => {
  const pages = listIndexedPages({ ...content, faq: { ...content.faq, updated: '2026-11-15' } }, views);
  const sitemap = renderSitemap(pages, siteUrl);
  const lastModified = (path: string) =>
    new RegExp(`<loc>${siteUrl}${path}</loc>(?:<lastmod>(.*?)</lastmod>)?</url>`).exec(sitemap)?.[1];
  expect(lastModified('/faq')).toBe('2026-11-15');
  expect(lastModified('/contact')).toBeUndefined();
  expect(lastModified('/blog')).toBe('2026-10-30');
  expect(lastModified('/blog/of-2026-10-29')).toBe('2026-10-29');
  expect(lastModified('/blog/of-2026-10-19')).toBe('2026-11-09');
  expect(lastModified('/blog/page/2')).toBe('2026-11-09');
  expect(formatRobots(undefined)).toBe('User-agent: *\nDisallow: /api/\n');
});

test('a post is a BlogPosting of the company, part of the blog, which may have none', () => {
  const address = `${siteUrl}/blog/of-2026-10-19`;
  expect(findJsonLdErrors(graphOf('/blog', planBlog([], content.blog)))).toEqual([]);
  const nodes = graphOf('/blog/of-2026-10-19')['@graph'];
  const company = { '@id': `${siteUrl}/#company` };
  expect(nodes.find(node => node['@type'] === 'BlogPosting')).toMatchObject({
    url: address,
    datePublished: '2026-10-19',
    dateModified: '2026-11-09',
    author: company,
    publisher: company,
    image: { url: `${siteUrl}/share/blog/of-2026-10-19.jpg` },
    keywords: [topic.name],
  });
  const trail = nodes.find(node => node['@type'] === 'BreadcrumbList')?.itemListElement;
  expect(trail).toMatchObject([{ item: `${siteUrl}/` }, { item: `${siteUrl}/blog` }, { item: address }]);
  const tags = renderOpenGraphTags('Quiet', true, views.at(-1));
  expect(tags).toContain('<meta property="article:modified_time" content="2026-11-09">');
});

test('a changed text changes the Open Graph image of its page, and the version of all', () => {
  const other = { ...content, faq: { ...content.faq, imageHeading: 'Asked and answered.' } };
  const keys = planOpenGraphImages(content, listIndexedPages(content, views), siteUrl).map(({ key }) => key);
  const planned = planOpenGraphImages(other, listIndexedPages(other, views), siteUrl);
  const changed = planned.filter(({ key }) => !keys.includes(key));
  expect(changed.map(({ path }) => path)).toEqual(['/share/faq.jpg']);
  expect(getOpenGraphVersion(other, siteUrl)).not.toBe(getOpenGraphVersion(content, siteUrl));
});
