import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { paths } from '../src/site/paths.ts';
import { builtSite } from './harness/site.ts';

/** What a first view may weigh, in bytes as served; tests/browser/every-page.test.ts counts what browsers really fetch. */
const kilobyte = 1000;

const site = join(builtSite, 'site');

/** What a server may send before it hears back: ten segments of 1,460 bytes, of which our headers take 1,250. */
const firstFlight = 14_600 - 1250;

test('every page is painted after one round trip', () => {
  for (const path of Object.values(paths)) {
    const file = path === '/' ? 'index.html' : `${path.slice(1)}.html`;
    const html = readFileSync(join(site, file), 'utf8');
    const blocking = html.match(
      /<link rel="stylesheet"(?![^>]* media="print,)|<script(?![^>]* (type="module"|type="application\/))/g,
    );
    expect([path, blocking]).toEqual([path, null]);
    expect(served(file), path).toBeLessThanOrEqual(firstFlight);
  }
});

test('the style sheet is small, in a page and as a whole', () => {
  const [, sheet = ''] = /<style>(.*?)<\/style>/s.exec(readFileSync(join(site, 'index.html'), 'utf8')) ?? [];
  expect(sheet).toContain('@font-face');
  expect(brotliCompressSync(sheet).length).toBeLessThanOrEqual(6 * kilobyte);
  const all = served(named('static/css', 'site')) + served(named('static/css', 'print-and-contrast'));
  expect(all).toBeLessThanOrEqual(12 * kilobyte);
});

test('the script that every page starts with is small', () => {
  expect(served(named('static/js', 'boot'))).toBeLessThanOrEqual(2 * kilobyte);
});

test('all fonts are subset', () => {
  const fonts = readdirSync(join(site, 'static/woff2')).map(file => `static/woff2/${file}`);
  expect(fonts).toHaveLength(2);
  expect(fonts.reduce((sum, font) => sum + served(font), 0)).toBeLessThanOrEqual(22 * kilobyte);
});

test('the illustrations of all pages are one small file, and not in a script or a page', () => {
  const sprite = named('static/svg', 'illustrations');
  expect(served(sprite)).toBeLessThanOrEqual(8 * kilobyte);
  const paths = [...readFileSync(join(site, sprite), 'utf8').matchAll(/ d="([^"]{40,})"/g)].map(([, d]) => d);
  expect(paths.length).toBeGreaterThan(20);
  const others = ['index.html', ...readdirSync(join(site, 'static/js')).map(file => `static/js/${file}`)]
    .filter(file => /\.(html|js)$/.test(file))
    .map(file => readFileSync(join(site, file), 'utf8'));
  expect(paths.filter(path => others.some(text => text.includes(path as string)))).toEqual([]);
});

/** Of what the server would send to a browser of today. */
function served(file: string): number {
  const path = join(site, file);
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
}

function named(folder: string, name: string): string {
  const found = readdirSync(join(site, folder)).filter(file =>
    new RegExp(`^${name}-.{8}\\.\\w+$`).test(file),
  );
  expect(found, name).toHaveLength(1);
  return `${folder}/${found[0]}`;
}
