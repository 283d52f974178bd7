import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, expect, test, vi } from 'vitest';
import { createPreview } from './create-preview.ts';
import { contentFolder } from './vite-config.ts';

const base = '/words/preview/site';
const folder = mkdtempSync(join(tmpdir(), 'wardhouse-'));
cpSync(contentFolder, folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'wardhouse-'));
vi.stubEnv('TMPDIR', scratch);
const preview = await createPreview({ config: { siteUrl: 'https://www.example.com' }, folder, base });
afterAll(async () => {
  await preview[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
  expect(readdirSync(scratch)).toEqual([]);
  for (const path of [folder, scratch]) rmSync(path, { recursive: true });
});

const draft = (file: string, text: string) => ({ file, changes: new Map([[file, text]]) });
const company = (phone: string) =>
  draft('company.yaml', readFile('company.yaml').replace(/^phone:.*$/m, `phone: ${phone}`));

test('a page shows the draft, without scripts, and each file that it names can be read', async () => {
  const { html = '', isStale, problems } = await preview.show('/contact', company('"+44 20 7946 0123"'));
  expect({ isStale, problems }).toEqual({ isStale: false, problems: [] });
  expect(html).toContain('+44 20 7946 0123');
  expect(html).not.toMatch(/<script|<noscript/);
  const urls = [...html.matchAll(/ (?:href|src)="([^"#]*)/g)].map(([, url = '']) => url);
  expect(urls.filter(url => url.startsWith('/') && !url.startsWith(`${base}/`))).toEqual([]);
  const files = new Set(urls.filter(url => /\.(css|svg|png|webmanifest)(\?|$)/.test(url)));
  expect(files.size).toBeGreaterThan(3);
  const read = (url: string) =>
    preview.readFile(new URL(url, 'http://localhost').pathname.slice(base.length));
  for (const url of files) expect(await read(url), url).toBeDefined();
  const css = Buffer.from((await preview.readFile('/style.css'))?.bytes ?? []).toString();
  const fonts = [...css.matchAll(/url\("([^"]*)"\)/g)].map(([, url = '']) => url);
  expect(fonts).not.toEqual([]);
  for (const url of fonts) expect((await read(url))?.type, url).toBe('font/woff2');
});

test('a new post is shown with its picture once it has no errors', async () => {
  const path = '/blog/in-a-draft';
  const file = 'blog/2099-01-02-in-a-draft.md';
  const summary = 'A post that is in a draft only, with a summary as long as search engines want to show it.';
  const fields = ['title: In a draft', `summary: ${summary}`, 'topics: [testing]', 'date: 2099-01-02'];
  const text = ['---', ...fields, '---', '![A square](square.png)', '', 'Words.', ''].join('\n');
  const early = await preview.show(path, draft(file, text));
  expect(early).toMatchObject({ isStale: true, problems: [expect.stringContaining('square.png')] });
  expect(early.html).toBeUndefined();
  writeFileSync(join(folder, 'blog/square.png'), await createCanvas(60, 40).encode('png'));
  const { html = '' } = await preview.show(path, draft(file, text));
  const [, picture = ''] = /<img src="[^"]*site(\/blog\/images\/[^"]*)"/.exec(html) ?? [];
  expect((await preview.readFile(picture))?.type).toBe('image/webp');
  // Wide enough for several sizes: all of them are below the preview's path.
  writeFileSync(join(folder, 'blog/square.png'), await createCanvas(2000, 1000).encode('png'));
  const { html: wide = '' } = await preview.show(path, draft(file, text));
  const [, sizes = ''] = / srcset="([^"]*)"/i.exec(wide) ?? [];
  const urls = sizes.split(', ').map(one => one.split(' ')[0] ?? '');
  expect(urls.length).toBeGreaterThan(1);
  expect(wide).not.toMatch(/[" ]\/blog\/images/);
  for (const url of urls) {
    expect(url.slice(0, base.length)).toBe(base);
    expect((await preview.readFile(url.slice(base.length)))?.type).toBe('image/webp');
  }
  expect(preview.listPages()).toContainEqual({ path, title: 'In a draft' });
  expect(existsSync(join(folder, file))).toBe(false);
  await preview.show('/', undefined);
  expect(await preview.render(path)).toBeUndefined();
});

test('nothing else is read', async () => {
  for (const path of ['/fonts/../brand.yaml', '/../package.json', '/src/ui/boot.ts', '/@fs/etc/passwd'])
    expect(await preview.readFile(path), path).toBeUndefined();
});

function readFile(file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}
