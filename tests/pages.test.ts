import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { expect, test } from 'vitest';
import { readSite } from '../src/apps/content.ts';
import type { FileEntry } from '../src/core/http/static-files.ts';
import { auditPaths } from '../src/features/audit/contract.ts';
import { planBlog } from '../src/features/blog/plan-blog.ts';
import { contactPath } from '../src/features/messages/contract.ts';
import { newsletterPaths, signUpPath } from '../src/features/newsletter/contract.ts';
import { consentTextId } from '../src/features/newsletter/read-consent-texts.ts';
import { getLondonDay, isDue } from '../src/lib/london-day.ts';
import { openGraphImagePath } from '../src/ui/paths.ts';
import { publicUrl } from './harness/builds.ts';
import { findJsonLdErrors, type JsonLdNode } from './harness/json-ld.ts';
import { findMisplaced } from './harness/misplaced-elements.ts';
import { builtSite, root } from './harness/site.ts';
import { paths } from './harness/site-paths.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** Every prerendered page, read from the files as a search engine and a browser without scripts read it. */
const entries: FileEntry[] = JSON.parse(readFileSync(join(builtSite, 'files.json'), 'utf8'));
const read = (file: string) => readFileSync(join(builtSite, 'site', file), 'utf8');
const pages = entries.filter(({ kind }) => kind === 'page' || kind === 'not-found').map(readPage);
const scripts = entries.filter(({ path }) => path.endsWith('.js')).map(({ file }) => read(file));

function readPage({ path, file }: FileEntry) {
  const html = read(file);
  const elements: Element[] = [];
  (function collect(node: DefaultTreeAdapterTypes.Node) {
    if ('tagName' in node) elements.push(node);
    if ('childNodes' in node) node.childNodes.forEach(collect);
  })(parse(html));
  const named = (tag: string) => elements.filter(element => element.tagName === tag);
  const metas = named('meta').map(meta => [
    attribute(meta, 'name') ?? attribute(meta, 'property') ?? '',
    attribute(meta, 'content'),
  ]);
  const link = (rel: string) =>
    named('link')
      .filter(one => attribute(one, 'rel') === rel)
      .map(one => attribute(one, 'href'));
  const graphs = elements.filter(element => attribute(element, 'type') === 'application/ld+json').map(textOf);
  return { path, html, elements, named, meta: Object.fromEntries(metas), link, graphs };
}

const { content, posts: written = [] } = readSite(join(root, 'content'));
if (!content) throw new Error('content/ has errors');
/** The owner's own posts, of which there may be none: tests/edited-site.test.ts has posts of its own. */
const views = planBlog(
  written.filter(post => isDue(post, getLondonDay(new Date()))),
  content.blog,
);
/** Pages that only a redirect or a mail leads to. */
const isStep = (path: string) =>
  [...Object.values<string>(newsletterPaths), auditPaths.report, '/404.html'].includes(path);
const buttonSteps: string[] = [newsletterPaths.confirm, newsletterPaths.unsubscribe];
const boxSteps: string[] = [newsletterPaths.invalid, newsletterPaths.expired, newsletterPaths.unsubscribed];

test('every URL of the site and the 404 page are prerendered', () => {
  const others = [auditPaths.report, '/404.html'];
  const expected = [...Object.values(paths), ...Object.values(newsletterPaths), ...others];
  const ofBlog = views.map(({ path }) => path);
  expect(pages.map(({ path }) => path).sort()).toEqual([...new Set<string>([...expected, ...ofBlog])].sort());
});

test('no block stands where HTML allows only text, reports included', () => {
  expect(pages.filter(({ html }) => html.includes('<pre')).map(({ path }) => path)).toContain(
    auditPaths.report,
  );
  for (const { path, html } of pages) expect([path, ...findMisplaced(html)]).toEqual([path]);
});

test('every form and every article has a name or a heading', () => {
  for (const { path, html, named } of pages) {
    for (const form of named('form')) {
      const hasHeading = html.includes(` id="${attribute(form, 'aria-labelledby')}"`);
      expect(hasHeading || attribute(form, 'aria-label'), `a form of ${path}`).toBeTruthy();
    }
    for (const [article] of html.matchAll(/<article.*?<\/article>/gs))
      expect(article, path).toMatch(/^<article[^>]* aria-label|<h[1-6][ >]/);
  }
});

test('the message box can be resized in browsers that do not let it grow with its text', () => {
  const page = pages.find(({ path }) => path === paths.contact);
  const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(page?.html ?? '') ?? [];
  expect(styles).toContain('textarea{resize:vertical}');
  const [before = ''] = styles.split('resize:none');
  expect(before).toMatch(/@supports \(field-sizing: ?content\)\{[^{}]*\{$/);
});

test('every page has a language, a title of its own, one h1, landmarks, and headings that skip no level', () => {
  const titles = pages.map(({ named }) => textOf(named('title')[0]));
  expect(new Set(titles).size).toBe(pages.length);
  for (const { path, named, elements, html } of pages) {
    expect(attribute(named('html')[0], 'lang'), path).toBe('en-GB');
    const single = ['title', 'h1', 'header', 'main', 'footer'];
    expect([path, ...single.map(tag => named(tag).length)]).toEqual([path, 1, 1, 1, 1, 1]);
    expect(named('nav').length, path).toBeGreaterThan(0);
    const levels = elements.flatMap(({ tagName }) => (/^h[1-6]$/.test(tagName) ? [Number(tagName[1])] : []));
    for (const [index, level] of levels.entries())
      expect(level - (levels[index - 1] ?? 0), path).toBeLessThanOrEqual(1);
    expect(html.replace(/<script type="application\/json".*?<\/script>/s, ''), path).not.toMatch(
      /\{[\w.]+\}|undefined|\[object/,
    );
  }
});

test('every page has subresource integrity for its script and style sheet, and its illustrations in their file', () => {
  for (const { path, named } of pages) {
    const external = named('script').filter(script => attribute(script, 'src') !== undefined);
    const sheets = named('link').filter(link => attribute(link, 'rel') === 'stylesheet');
    expect([path, named('style').length, sheets.length, external.length]).toEqual([path, 1, 1, 1]);
    for (const element of [...external, ...sheets]) {
      const file = attribute(element, 'src') ?? attribute(element, 'href') ?? '';
      const digest = createHash('sha256').update(readFileSync(join(builtSite, 'site', file)));
      expect(attribute(element, 'integrity'), path).toBe(`sha256-${digest.digest('base64')}`);
    }
    for (const use of named('use')) {
      const [file = '', fragment] = attribute(use, 'href')?.split('#') ?? [];
      expect(read(file), path).toContain(` id="${fragment}"`);
    }
  }
});

test('forms post to the API without JavaScript, and newsletter forms have the note and its consent text', () => {
  for (const { path, named } of pages) {
    const forms = named('form');
    const others = forms
      .map(form => attribute(form, 'action'))
      .filter(action => ![contactPath, signUpPath, auditPaths.page, auditPaths.report].includes(`${action}`));
    // One of these posts to its own address, with what the link in a mail brought along.
    expect(others, path).toEqual(buttonSteps.includes(path) ? [undefined] : []);
    expect(forms.every(form => attribute(form, 'method') === 'post')).toBe(true);
    const boxes = forms.filter(form => attribute(form, 'action') === signUpPath);
    const hidden = (box: Element, name: string) =>
      attribute(
        findIn(box, element => attribute(element, 'name') === name),
        'value',
      );
    const own = path === '/' ? ['home'] : boxSteps.includes(path) ? ['newsletter'] : [];
    expect(
      boxes.map(box => hidden(box, 'form')),
      path,
    ).toEqual([...own, 'footer']);
    for (const box of boxes) {
      const note = findIn(box, element => attribute(element, 'id') === attribute(box, 'aria-describedby'));
      expect(hidden(box, 'wording')).toBe(consentTextId(textOf(note)));
    }
  }
});

test('every indexed page has a description, a canonical URL, Open Graph tags and one valid JSON-LD block', () => {
  const indexed = pages.filter(({ path }) => !isStep(path));
  expect(new Set(indexed.map(({ meta }) => meta.description)).size).toBe(indexed.length);
  for (const { path, meta, link, graphs, named } of indexed) {
    const address = publicUrl + path;
    const view = views.find(one => one.path === path);
    const name = Object.entries(paths).find(([, other]) => other === path)?.[0] as keyof typeof paths;
    expect([meta.robots, link('canonical')]).toEqual([undefined, [address]]);
    const title = textOf(named('title')[0]);
    expect(title).toContain(meta['og:title']);
    expect(meta).toMatchObject({
      description: view?.meta.description ?? expect.stringMatching(/^.{70,160}$/),
      'og:type': view?.kind === 'post' ? 'article' : 'website',
      'og:url': address,
      'og:description': meta.description,
      'og:image': expect.stringMatching(/^https:\/\/www\.example\.com\/.*\.jpg\?v=[0-9a-f]{8}$/),
      'og:image:alt': view?.meta.imageHeading ?? expect.stringMatching(/\w/),
    });
    if (name) expect(meta['og:image']).toContain(publicUrl + openGraphImagePath(name));
    if (name) expect(title.length, path).toBeLessThanOrEqual(65);
    expect(link('alternate')).toEqual(path.startsWith('/blog') ? ['/blog/rss.xml', '/blog/atom.xml'] : []);
    expect(graphs, path).toHaveLength(1);
    const graph: { '@graph': JsonLdNode[] } = JSON.parse(graphs[0] ?? '');
    expect(findJsonLdErrors(graph), path).toEqual([]);
    expect(graph['@graph'].map(node => node.url)).toContain(address);
  }
});

test('the newsletter steps and the 404 page are noindex, and have no canonical URL, Open Graph tags or JSON-LD', () => {
  for (const { path, meta, link, graphs } of pages.filter(page => isStep(page.path))) {
    expect([path, meta.robots, link('canonical'), graphs]).toEqual([path, 'noindex', [], []]);
    expect(Object.keys(meta).filter(name => /^(og|twitter):/.test(name))).toEqual([]);
  }
});

test('the scripts are production builds without the words of the blog', () => {
  expect(scripts.some(text => text.includes('hydrateRoot'))).toBe(true);
  // The overlay of `npm run dev`, and what only React's development build says.
  const development = ['content-errors', 'link/hydration-mismatch'];
  for (const words of [...development, ...written.flatMap(({ title, summary }) => [title, summary])])
    expect(
      scripts.filter(text => text.includes(words)),
      words,
    ).toEqual([]);
});

function attribute(element: Element | undefined, name: string): string | undefined {
  return element?.attrs.find(found => found.name === name)?.value;
}

function findIn(element: Element, isIt: (element: Element) => boolean): Element | undefined {
  if (isIt(element)) return element;
  for (const child of element.childNodes) {
    const found = 'tagName' in child ? findIn(child, isIt) : undefined;
    if (found) return found;
  }
  return undefined;
}

function textOf(element: Element | undefined): string {
  return element?.childNodes.map(node => ('value' in node ? node.value : '')).join('') ?? '';
}
