import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadImage } from '@napi-rs/canvas';
import { parseFeed } from 'feedsmith';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { beforeAll, describe, expect, test } from 'vitest';
import { planBlog } from '../src/build/blog/plan-blog.ts';
import { contentFolder } from '../src/build/vite-config.ts';
import { getLondonDay, isDue } from '../src/content/blog/publication-dates.ts';
import { readSite } from '../src/content/blog/read-site.ts';
import { plainText } from '../src/content/prose.ts';
import { type Files, loadFiles } from '../src/server/static-files.ts';
import { openGraphImagePath, paths, stepPaths } from '../src/site/paths.ts';
import { measureBrightness, readIco, readPngSize } from './harness/images.ts';
import { findJsonLdErrors, type JsonLdNode } from './harness/json-ld.ts';
import { buildPublicSite, publicUrl } from './harness/public-site.ts';
import { builtSite } from './harness/site.ts';
import { assertWellFormed } from './harness/xml.ts';

const names = Object.keys(paths) as (keyof typeof paths)[];
let site: string;
let files: Files;
beforeAll(async () => {
  const outDir = await buildPublicSite();
  site = join(outDir, 'site');
  files = loadFiles(outDir);
}, 60_000);

const { content, posts = [] } = readSite(contentFolder, { withDrafts: false });
if (!content) throw new Error('content/ has errors');
/** The owner's own, of which there may be none: tests/blog-build.test.ts has posts of its own. */
const due = posts.filter(post => isDue(post, getLondonDay(new Date())));
const views = planBlog(due, content.blog);

const read = (path: string) => readFileSync(join(site, path));
const heads = new Map<string, Head>();
const pageAt = (path: string): Head => {
  const head = heads.get(path) ?? readHead(read(path === '/' ? 'index.html' : `${path}.html`).toString());
  heads.set(path, head);
  return head;
};
const headersOf = (path: string) => {
  const list = files.get(path)?.plain.headers ?? [];
  return Object.fromEntries(list.flatMap((name, index) => (index % 2 ? [] : [[name, list[index + 1]]])));
};

describe.each(names)('the page %s', name => {
  const address = publicUrl + paths[name];

  test('has a unique title and description within the limits', () => {
    const { title, named } = pageAt(paths[name]);
    const others = names.filter(other => other !== name).map(other => pageAt(paths[other]));
    expect(title?.length).toBeLessThanOrEqual(65);
    expect(others.map(other => other.title)).not.toContain(title);
    expect(named.description?.length).toBeGreaterThanOrEqual(70);
    expect(named.description?.length).toBeLessThanOrEqual(160);
    expect(others.map(other => other.named.description)).not.toContain(named.description);
  });

  test('has a canonical URL and Open Graph tags', () => {
    const { named, links, lang } = pageAt(paths[name]);
    expect(lang).toBe('en-GB');
    expect(links.canonical).toBe(address);
    expect(named).toMatchObject({
      'og:type': 'website',
      'og:site_name': 'Wardhouse',
      'og:locale': 'en_GB',
      'og:url': address,
      'og:description': named.description,
      'og:image': expect.stringMatching(
        new RegExp(`^${publicUrl}${openGraphImagePath(name)}\\?v=[0-9a-f]{8}$`),
      ),
      'og:image:alt': expect.stringMatching(/\w/),
      'og:image:width': '1200',
      'og:image:height': '630',
      'twitter:card': 'summary_large_image',
      'theme-color': '#071310',
    });
    expect(pageAt(paths[name]).title).toContain(named['og:title']);
    expect(named.robots).toBeUndefined();
  });

  test('has an Open Graph image of the stated size that is small and not blank', async () => {
    const picture = read(openGraphImagePath(name));
    const { width, height } = await loadImage(picture);
    expect([width, height]).toEqual([1200, 630]);
    expect(picture.length).toBeLessThan(100_000);
    const { darkest, brightest, share } = await measureBrightness(picture);
    expect(darkest).toBeLessThan(40);
    expect(brightest).toBeGreaterThan(200);
    // Of the words and the art: a blank ground has none, a broken one nothing else.
    expect(share).toBeGreaterThan(0.03);
    expect(share).toBeLessThan(0.3);
    expect(headersOf(openGraphImagePath(name))).toMatchObject({
      'Content-Type': 'image/jpeg',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
  });

  test('has one valid JSON-LD block', () => {
    const { graphs } = pageAt(paths[name]);
    expect(graphs).toHaveLength(1);
    const [graph] = graphs as [{ '@graph': JsonLdNode[] }];
    expect(findJsonLdErrors(graph)).toEqual([]);
    const kinds = graph['@graph'].map(node => node['@type']);
    expect(kinds).toEqual(expect.arrayContaining(['Organization', 'WebSite']));
    expect(kinds.filter(kind => kind === 'BreadcrumbList')).toHaveLength(name === 'home' ? 0 : 1);
    expect(graph['@graph'].map(node => node.url)).toContain(address);
  });
});

test('each page has its own Open Graph image', () => {
  expect(new Set(names.map(name => read(openGraphImagePath(name)).toString('base64'))).size).toBe(
    names.length,
  );
});

test('JSON-LD matches the pages: every question and answer, every service', () => {
  const faq = read('faq.html').toString();
  const nodes = pageAt(paths.faq).graphs.flatMap(graph => (graph as { '@graph': JsonLdNode[] })['@graph']);
  const questions = nodes.find(node => node['@type'] === 'FAQPage')?.mainEntity as JsonLdNode[];
  expect(questions.map(({ '@id': id }) => String(id).split('#')[1])).toEqual(
    [...faq.matchAll(/<article[^>]* id="([^"]+)"/g)].map(([, id]) => id),
  );
  expect(
    questions.every(({ acceptedAnswer }) => String((acceptedAnswer as JsonLdNode).text).length > 150),
  ).toBe(true);
  const services = read('creator.html').toString();
  const offered = pageAt(paths.services).graphs.flatMap(
    graph => (graph as { '@graph': JsonLdNode[] })['@graph'],
  );
  const places = offered
    .filter(node => node['@type'] === 'Service')
    .map(node => String(node['@id']).split('#')[1]);
  expect(places).toHaveLength(16);
  for (const place of places) expect(services).toContain(`id="${place}"`);
});

test('JSON-LD has no example data', () => {
  expect(JSON.stringify(pageAt('/').graphs)).not.toMatch(/hello@example|7946|Example Street|network"|sameAs/);
});

test('the sitemap lists the indexed pages, with dates only from content', () => {
  const sitemap = read('sitemap.xml').toString();
  assertWellFormed(sitemap);
  expect(sitemap).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n(<url><loc>[^<&]+<\/loc>(<lastmod>[\d-]{10}<\/lastmod>)?<\/url>\n)+<\/urlset>\n$/,
  );
  const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  const ofSite = names.filter(name => name !== 'blog').map(name => publicUrl + paths[name]);
  expect(listed).toEqual([...ofSite, ...views.map(({ path }) => publicUrl + path)]);
  const dated = [...sitemap.matchAll(/<loc>(.*?)<\/loc><lastmod>/g)].map(([, address]) => address);
  expect(dated).toEqual(due.length > 0 ? listed.filter(address => address?.includes('/blog')) : []);
  expect(headersOf('/sitemap.xml')['Content-Type']).toBe('application/xml; charset=utf-8');
});

test('pages of the newsletter steps are noindex and have no Open Graph image', () => {
  for (const path of [...Object.values(stepPaths), '/404']) {
    const { named, links, graphs } = pageAt(path);
    expect(named.robots, path).toBe('noindex');
    expect([links.canonical, named['og:title'], named['twitter:card'], graphs.length]).toEqual([
      undefined,
      undefined,
      undefined,
      0,
    ]);
  }
});

test('robots.txt names the sitemap and disallows only the API', () => {
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
  expect(links.length).toBeGreaterThan(40);
  for (const { origin, pathname, hash } of links) {
    expect(origin).toBe(publicUrl);
    const html = read(pathname === '/' ? 'index.html' : `${pathname}.html`).toString();
    if (hash) expect(html, hash).toContain(`id="${hash.slice(1)}"`);
  }
  const posts = views.filter(({ kind }) => kind === 'post').map(({ path }) => path);
  expect(new Set(links.map(({ pathname }) => pathname))).toEqual(
    new Set([...Object.values(paths), ...posts]),
  );
  expect(headersOf('/llms.txt')['Content-Type']).toBe('text/plain; charset=utf-8');
});

test('every page of the blog has a canonical URL, feeds, an image and a type', async () => {
  const pictures = new Set<string>();
  for (const view of views) {
    const { title, named, links, graphs } = pageAt(view.path);
    expect(title, view.path).toContain(view.head.title);
    expect(links.canonical).toBe(publicUrl + view.path);
    expect(named).toMatchObject({
      description: view.head.description,
      'og:url': publicUrl + view.path,
      'og:type': view.kind === 'post' ? 'article' : 'website',
      'og:image:alt': view.head.picture,
    });
    expect(named.robots).toBeUndefined();
    expect(read(`${view.path}.html`).toString()).toMatch(
      /<link href="\/blog\/rss\.xml" rel="alternate"[^>]*><link href="\/blog\/atom\.xml" rel="alternate"/,
    );
    const [graph] = graphs as [{ '@graph': JsonLdNode[] }];
    expect(findJsonLdErrors(graph), view.path).toEqual([]);
    expect(graph['@graph'].filter(node => node['@type'] === 'BlogPosting')).toHaveLength(
      view.kind === 'post' ? 1 : 0,
    );
    const { pathname } = new URL(named['og:image'] ?? '');
    if (view.kind === 'list') expect(pathname).toBe(openGraphImagePath('blog'));
    else {
      expect(named['article:published_time']).toBe(view.post.date);
      const picture = read(pathname);
      pictures.add(picture.toString('base64'));
      const { width, height } = await loadImage(picture);
      expect([width, height]).toEqual([1200, 630]);
      expect(picture.length).toBeLessThan(100_000);
      expect((await measureBrightness(picture)).share).toBeGreaterThan(0.03);
      expect(headersOf(pathname)['Cross-Origin-Resource-Policy']).toBe('cross-origin');
    }
  }
  expect(pictures.size).toBe(views.filter(({ kind }) => kind === 'post').length);
});

test.each([
  ['/blog/rss.xml', 'application/rss+xml; charset=utf-8'],
  ['/blog/atom.xml', 'application/atom+xml; charset=utf-8'],
])('%s contains the newest posts in full, with working links, and allows any origin', (path, type) => {
  const xml = read(path).toString();
  assertWellFormed(xml);
  const { format, feed } = parseFeed(xml);
  const entries =
    format === 'rss'
      ? (feed.items ?? []).map(({ link, content }) => ({ link, html: content?.encoded }))
      : format === 'atom'
        ? (feed.entries ?? []).map(({ links, content }) => ({
            link: links?.[0]?.href,
            html: content?.value,
          }))
        : [];
  const posts = views.flatMap(view => (view.kind === 'post' ? [view.post] : [])).slice(0, 20);
  expect(entries.map(({ link }) => link)).toEqual(posts.map(({ slug }) => `${publicUrl}/blog/${slug}`));
  for (const [index, { html = '' }] of entries.entries()) {
    expect(textOf(html).length).toBeGreaterThan(0.9 * plainText(posts[index]?.body ?? []).length);
    expect(html).not.toMatch(/<script|style=|class=|(href|src)="[^h]|(href|src)="http:/);
    for (const [, link = ''] of html.matchAll(/href="(.*?)"/g)) {
      const { origin, pathname } = new URL(link);
      if (origin === publicUrl) expect(files.get(pathname), link).toBeDefined();
    }
  }
  expect(headersOf(path)).toMatchObject({
    'Content-Type': type,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'public, max-age=3600',
  });
});

test('without SITE_URL there are no feeds and no links to them', () => {
  expect(existsSync(join(builtSite, 'site/blog/rss.xml'))).toBe(false);
  expect(readFileSync(join(builtSite, 'site/blog.html'), 'utf8')).not.toMatch(/(rss|atom)\.xml/);
});

test('every icon has its stated size, and maskable icons fill the square', async () => {
  expect(readPngSize(read('apple-touch-icon.png'))).toEqual([180, 180]);
  for (const [file, size] of [
    ['icon-192.png', 192],
    ['icon-512.png', 512],
    ['icon-maskable-512.png', 512],
  ] as const)
    expect(readPngSize(read(file))).toEqual([size, size]);
  expect(readIco(read('favicon.ico'))).toEqual([16, 32, 48]);
  expect((await measureBrightness(read('apple-touch-icon.png'))).corner).toEqual([7, 19, 16, 255]);
  expect((await measureBrightness(read('icon-maskable-512.png'))).corner).toEqual([7, 19, 16, 255]);
  expect((await measureBrightness(read('icon-512.png'))).corner).toEqual([0, 0, 0, 0]);
  expect(headersOf('/favicon.ico')).toMatchObject({
    'Content-Type': 'image/x-icon',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=3600',
  });
});

test('the web manifest lists existing icons with their sizes', () => {
  const manifest = JSON.parse(read('site.webmanifest').toString());
  expect(manifest).toMatchObject({
    name: 'Wardhouse',
    start_url: '/',
    lang: 'en-GB',
    theme_color: '#071310',
  });
  for (const { src, sizes } of manifest.icons) expect(readPngSize(read(src)).join('x')).toBe(sizes);
  expect(manifest.icons.map(({ purpose }: { purpose?: string }) => purpose)).toContain('maskable');
  expect(headersOf('/site.webmanifest')['Content-Type']).toBe('application/manifest+json');
  const { links } = pageAt('/');
  expect(links).toMatchObject({ manifest: '/site.webmanifest', 'apple-touch-icon': '/apple-touch-icon.png' });
});

function textOf(html: string): string {
  const collect = (node: DefaultTreeAdapterTypes.Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(collect).join('') : '';
  return collect(parseFragment(html));
}

type Head = {
  lang: string | undefined;
  title: string | undefined;
  /** The content of meta tags, by name or property. */
  named: Record<string, string>;
  links: Record<string, string>;
  graphs: unknown[];
};

/** As a search engine reads a page. A tag that stands twice is no tag. */
function readHead(html: string): Head {
  const head: Head = { lang: undefined, title: undefined, named: {}, links: {}, graphs: [] };
  (function visit(node: DefaultTreeAdapterTypes.Node) {
    if ('tagName' in node) {
      const given = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      const text = node.childNodes.map(child => ('value' in child ? child.value : '')).join('');
      if (node.tagName === 'html') head.lang = given.lang;
      if (node.tagName === 'title' && node.parentNode?.nodeName === 'head') head.title = text;
      const name = given.name ?? given.property;
      if (node.tagName === 'meta' && name)
        head.named[name] = name in head.named ? 'twice' : (given.content ?? '');
      if (node.tagName === 'link' && given.rel) head.links[given.rel] = given.href ?? '';
      if (given.type === 'application/ld+json') head.graphs.push(JSON.parse(text));
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  })(parse(html));
  return head;
}
