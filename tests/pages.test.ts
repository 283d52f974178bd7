import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { newsletterPath } from '../src/api/contract.ts';
import { getLondonDay, isDue } from '../src/content/blog/publication-dates.ts';
import { readSite } from '../src/content/blog/read-site.ts';
import { consentTextId } from '../src/content/consent-texts.ts';
import { type FileEntry, loadFiles } from '../src/server/static-files.ts';
import { paths, stepPaths } from '../src/site/paths.ts';
import { builtSite, root } from './harness/site.ts';

type Element = DefaultTreeAdapterTypes.Element;

const files = loadFiles(builtSite);
const entries: FileEntry[] = JSON.parse(readFileSync(join(builtSite, 'files.json'), 'utf8'));
const pages = entries
  .filter(({ kind }) => kind === 'page' || kind === 'not-found')
  .map(entry => readPage(entry));

function readPage({ path, file }: FileEntry) {
  const html = readFileSync(join(builtSite, 'site', file), 'utf8');
  const elements: Element[] = [];
  (function collect(node: DefaultTreeAdapterTypes.Node) {
    if ('tagName' in node) elements.push(node);
    if ('childNodes' in node) node.childNodes.forEach(collect);
  })(parse(html));
  const ids = elements.map(element => attribute(element, 'id')).filter(id => id !== undefined);
  const named = (tag: string) => elements.filter(element => element.tagName === tag);
  return { path, html, elements, ids, named };
}

const buttonSteps: string[] = [stepPaths.confirm, stepPaths.leave];
const boxSteps: string[] = [stepPaths.refused, stepPaths.expired, stepPaths.left];

const { posts: written = [] } = readSite(join(root, 'content'), { withDrafts: false });
/** The owner's own, of which there may be none. */
const posts = written.filter(post => isDue(post, getLondonDay(new Date())));

test('every URL of the site and the 404 page are prerendered', () => {
  const ofPosts = posts.map(({ slug }) => `${paths.blog}/${slug}`);
  const found = pages.map(({ path }) => path).filter(path => !/^\/blog\/(topics|page)\//.test(path));
  expect(found.sort()).toEqual(
    [...Object.values(paths), ...ofPosts, ...Object.values(stepPaths), '/404.html'].sort(),
  );
});

test('the text of the blog is in its pages and in no script', () => {
  const scripts = entries
    .filter(({ path }) => path.endsWith('.js'))
    .map(({ file }) => readFileSync(join(builtSite, 'site', file), 'utf8'));
  const sentences = posts
    .flatMap(({ file }) =>
      readFileSync(join(root, 'content', file), 'utf8')
        .split('---\n')
        .slice(2)
        .join('')
        .split(/[.:]\s/),
    )
    .map(sentence => sentence.trim())
    .filter(sentence => /^[A-Za-z ,]{30,}$/.test(sentence));
  const written = pages.map(({ html }) => html).join('');
  expect(sentences.length).toBeGreaterThanOrEqual(posts.length);
  for (const sentence of sentences) {
    expect(written).toContain(sentence);
    expect(scripts.filter(script => script.includes(sentence))).toEqual([]);
  }
  const { list } = parseYaml(readFileSync(join(root, 'content/blog.yaml'), 'utf8'));
  expect(scripts.filter(script => script.includes(list.empty))).toEqual([]);
});

describe.each(pages)('$path', ({ path, html, elements, ids, named }) => {
  test('has a language, a title of its own, a description and one h1', () => {
    expect(attribute(named('html')[0], 'lang')).toBe('en-GB');
    const titles = pages.map(page => textOf(page.named('title')[0]));
    expect(named('title')).toHaveLength(1);
    expect(titles.filter(title => title === textOf(named('title')[0]))).toHaveLength(1);
    expect(elements.filter(element => attribute(element, 'name') === 'description')).toHaveLength(1);
    expect(named('h1')).toHaveLength(1);
  });

  test('has subresource integrity for scripts and style sheets', () => {
    const scripts = named('script').filter(script => attribute(script, 'src') !== undefined);
    const sheets = named('link').filter(link => attribute(link, 'rel') === 'stylesheet');
    expect([named('style').length, sheets.length, scripts.length]).toEqual([1, 1, 1]);
    for (const element of [...scripts, ...sheets]) {
      const file = attribute(element, 'src') ?? attribute(element, 'href') ?? '';
      const bytes = readFileSync(join(builtSite, 'site', file));
      expect(attribute(element, 'integrity')).toBe(digestOf(bytes));
    }
    const held = files.get(path) ?? files.notFound;
    const policy = held.plain.headers.find(one => one.startsWith('default-src'));
    expect(policy).toContain(`style-src 'self' '${digestOf(textOf(named('style')[0]))}';`);
  });

  test('has landmarks, and headings that skip no level', () => {
    expect(['header', 'main', 'footer'].map(tag => named(tag).length)).toEqual([1, 1, 1]);
    expect(named('nav').length).toBeGreaterThan(0);
    const levels = elements.flatMap(({ tagName }) => (/^h[1-6]$/.test(tagName) ? [Number(tagName[1])] : []));
    for (const [index, level] of levels.entries())
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  });

  test('has no duplicate id, and no label or description without its element', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const named = ['for', 'aria-labelledby', 'aria-describedby', 'popovertarget'];
    const referred = elements.flatMap(element =>
      named.map(name => attribute(element, name)).filter(id => id !== undefined),
    );
    expect(referred.filter(id => !ids.includes(id))).toEqual([]);
  });

  test('has no dead link, script, style or form', () => {
    const addresses = elements.flatMap(element => [attribute(element, 'href'), attribute(element, 'src')]);
    for (const address of addresses.filter(found => found !== undefined)) {
      if (/^(https:|mailto:|tel:)/.test(address)) continue;
      const [path, fragment] = address.split('#');
      if (path)
        expect(
          entries.map(entry => entry.path),
          address,
        ).toContain(path);
      const target = path?.endsWith('.svg')
        ? readFileSync(join(builtSite, 'site', path), 'utf8').match(/(?<= id=")[^"]+/g)
        : path
          ? pages.find(page => page.path === path)?.ids
          : ids;
      if (fragment) expect(target, address).toContain(fragment);
    }
    const actions = named('form').map(form => attribute(form, 'action'));
    // One of these posts to its own address, with what the link in a mail brought along.
    const own = buttonSteps.includes(path) ? [undefined] : [];
    expect(actions.filter(action => action !== '/api/contact' && action !== newsletterPath)).toEqual(own);
    expect(named('form').every(form => attribute(form, 'method') === 'post')).toBe(true);
  });

  test('has labelled newsletter forms with their notes', () => {
    const boxes = named('form').filter(form => attribute(form, 'action') === newsletterPath);
    const own = path === '/' ? ['home'] : boxSteps.includes(path) ? ['newsletter'] : [];
    const hidden = (box: Element, name: string) =>
      attribute(
        findIn(box, element => attribute(element, 'name') === name),
        'value',
      );
    expect(boxes.map(box => hidden(box, 'form'))).toEqual([...own, 'footer']);
    for (const box of boxes) {
      const note = findIn(box, element => attribute(element, 'id') === attribute(box, 'aria-describedby'));
      expect(textOf(note)).toMatch(/once a month.* one click.* under 16/);
      expect(hidden(box, 'wording')).toBe(consentTextId(textOf(note)));
    }
  });

  test('is indexed, except the newsletter steps', () => {
    const isLedTo = Object.values<string>(stepPaths).includes(path) || path === '/404.html';
    const robots = elements.find(element => attribute(element, 'name') === 'robots');
    expect(attribute(robots, 'content')).toBe(isLedTo ? 'noindex' : undefined);
  });

  test('has no canonical URL while SITE_URL is unset', () => {
    expect(html).not.toMatch(/canonical|og:url/);
    expect(entries.some(({ path }) => path === '/sitemap.xml')).toBe(false);
  });

  test('shows no unfilled placeholder', () => {
    expect(html.replace(/<script type="application\/json".*?<\/script>/s, '')).not.toMatch(
      /\{[\w.]+\}|undefined|\[object/,
    );
  });
});

test('the scripts are production builds, whatever the environment of the build', () => {
  const scripts = entries.filter(({ path }) => path.endsWith('.js'));
  const texts = scripts.map(({ file }) => readFileSync(join(builtSite, 'site', file), 'utf8'));
  expect(texts.some(text => text.includes('hydrateRoot'))).toBe(true);
  expect(texts.filter(text => text.includes('link/hydration-mismatch'))).toEqual([]);
  // What `npm run dev` lays over a page while content/ has errors.
  expect(texts.filter(text => text.includes('content-errors'))).toEqual([]);
});

test('the third-party notice lists the packages in the pages', () => {
  const notice = readFileSync(join(builtSite, 'site/third-party-notices.txt'), 'utf8');
  for (const name of ['react', 'react-dom', 'scheduler', 'Font instrument-sans', 'Font geist-mono']) {
    expect(notice).toMatch(new RegExp(`^${name}\\b`, 'm'));
  }
  expect(notice).toMatch(/Permission is hereby granted/);
});

function digestOf(content: string | Buffer): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

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
