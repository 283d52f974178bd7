import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { readSite } from '../src/apps/content.ts';
import { planBlog } from '../src/features/blog/plan-blog.ts';
import { getLondonDay, isDue } from '../src/lib/london-day.ts';
import { openGraphImagePath } from '../src/ui/paths.ts';
import { publicUrl } from './harness/builds.ts';
import type { JsonLdNode } from './harness/json-ld.ts';
import { builtSite, root } from './harness/site.ts';
import { paths } from './harness/site-paths.ts';
import { assertWellFormed } from './harness/xml.ts';

/** What search engines, feed readers and chats fetch beside the pages; tests/pages.test.ts has their meta tags. */
const read = (path: string) => readFileSync(join(builtSite, 'site', path));
const readHtml = (path: string) => read(path === '/' ? 'index.html' : `${path}.html`).toString();
const names = Object.keys(paths) as (keyof typeof paths)[];

const { content, posts: written = [] } = readSite(join(root, 'content'));
if (!content) throw new Error('content/ has errors');
/** The owner's own posts, of which there may be none. */
const due = written.filter(post => isDue(post, getLondonDay(new Date())));
const views = planBlog(due, content.blog);
const posts = views.filter(view => view.kind === 'post');

test('each page and post has its own Open Graph image of the stated size, small and not blank', async () => {
  const ofPosts = posts.map(({ path }) => {
    const [, address = ''] = /content="([^"]+)" property="og:image"/.exec(readHtml(path)) ?? [];
    return new URL(address).pathname;
  });
  const images = [...names.map(openGraphImagePath), ...ofPosts];
  const pictures = new Set<string>();
  for (const file of images) {
    const picture = read(file);
    pictures.add(picture.toString('base64'));
    const { width, height } = await loadImage(picture);
    expect([width, height]).toEqual([1200, 630]);
    expect(picture.length).toBeLessThan(100_000);
    // A blank one is smaller.
    expect(picture.length).toBeGreaterThan(20_000);
  }
  expect(pictures.size).toBe(images.length);
});

test('every question is described with its name and its answer', () => {
  const html = readHtml(paths.faq);
  expect(html).toMatch(/itemscope="" itemtype="https:\/\/schema\.org\/FAQPage"/i);
  const described = Array.from(
    html.matchAll(
      /itemprop="mainEntity" itemscope="" itemtype="https:\/\/schema\.org\/Question"><summary[^>]* itemprop="name">([^<]+)<\/summary><div[^>]* id="([^"]+)" itemprop="acceptedAnswer" itemscope="" itemtype="https:\/\/schema\.org\/Answer"><div[^>]* itemprop="text"><(?:p|ul|ol)>/gi,
    ),
    ([, name = '', id]) => ({ id, question: name.replaceAll('&amp;', '&').replaceAll('&#x27;', "'") }),
  );
  const questions = content.faq.groups.flatMap(group => group.questions);
  expect(described).toEqual(questions.map(({ id, question }) => ({ id, question })));
});

test('JSON-LD matches the pages: every service, and no example data', () => {
  const nodesOf = (path: string): JsonLdNode[] => {
    const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(readHtml(path)) ?? [];
    return JSON.parse(text)['@graph'];
  };
  const anchor = ({ '@id': id }: JsonLdNode) => String(id).split('#')[1];
  const services = nodesOf(paths.services).filter(node => node['@type'] === 'Service');
  expect(services.length).toBeGreaterThan(1);
  for (const service of services) expect(readHtml(paths.services)).toContain(`id="${anchor(service)}"`);
  expect(JSON.stringify(nodesOf('/'))).not.toMatch(/hello@example|7946|Example Street|network"|sameAs/);
});

test('the sitemap lists the indexed pages, with dates only from content, and robots.txt names it', () => {
  const sitemap = read('sitemap.xml').toString();
  assertWellFormed(sitemap);
  const urls = [...sitemap.matchAll(/<url><loc>([^<&]+)<\/loc>(<lastmod>[\d-]{10}<\/lastmod>)?<\/url>\n/g)];
  const listed = urls.map(([, address]) => address);
  const ofSite = names.filter(name => name !== 'blog').map(name => publicUrl + paths[name]);
  expect(listed).toEqual([...ofSite, ...views.map(({ path }) => publicUrl + path)]);
  const dated = urls.filter(([, , date]) => date).map(([, address]) => address);
  expect(dated).toEqual(due.length > 0 ? listed.filter(address => address?.includes('/blog')) : []);
  expect(read('robots.txt').toString().split('\n').filter(Boolean)).toEqual([
    'User-agent: *',
    'Disallow: /api/',
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ]);
});

test('every link in llms.txt leads to an existing anchor', () => {
  const text = read('llms.txt').toString();
  expect(text).toMatch(/^# Wardhouse\n\n> .{70,}\n\n/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link]) => new URL(String(link)));
  for (const { origin, pathname, hash } of links) {
    expect(origin).toBe(publicUrl);
    if (hash) expect(readHtml(pathname), hash).toContain(`id="${hash.slice(1)}"`);
  }
  expect(new Set(links.map(({ pathname }) => pathname))).toEqual(
    new Set([...Object.values(paths), ...posts.map(({ path }) => path)]),
  );
});
