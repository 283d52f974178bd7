import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readContent } from '../content/read-content.ts';
import type { Content } from '../content/schemas/all-schemas.ts';
import { deleteUnusedFiles, getCachedOrCreate } from './build-cache.ts';
import { listIndexedPages } from './seo/indexed-pages.ts';
import { getOpenGraphVersion, planOpenGraphImages } from './seo/open-graph-images.ts';
import { contentFolder } from './vite-config.ts';

const content = readContent(contentFolder).content as Content;

test('a cached file is reused, and deleted when unused for a month', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-pictures-'));
  let drawn = 0;
  const draw = async () => Buffer.from(`drawn ${++drawn}`);
  const kept = async (key: string) => (await getCachedOrCreate(folder, key, draw)).toString();
  expect([await kept('a'), await kept('a'), await kept('b')]).toEqual(['drawn 1', 'drawn 1', 'drawn 2']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
  utimesSync(join(folder, 'b'), new Date(0), new Date(0));
  deleteUnusedFiles([folder]);
  expect(readdirSync(folder)).toEqual(['a']);
  rmSync(folder, { recursive: true });
});

test('an empty file in the cache is created again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-pictures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a'), '');
  const made = await getCachedOrCreate(folder, 'a', async () => Buffer.from('drawn'));
  expect(made.toString()).toBe('drawn');
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('drawn');
});

test("a changed text changes its page's image and the version of all", () => {
  const siteUrl = 'https://a.example';
  const plan = (words: Content) => planOpenGraphImages(words, listIndexedPages(words), siteUrl);
  const other = { ...content, faq: { ...content.faq, picture: 'Asked and answered.' } };
  const [before, after] = [plan(content), plan(other)];
  const changed = after.filter(({ key }, index) => key !== before[index]?.key);
  expect(changed.map(({ path }) => path)).toEqual(['/share/faq.jpg']);
  expect(getOpenGraphVersion(other, siteUrl)).not.toBe(getOpenGraphVersion(content, siteUrl));
  expect(getOpenGraphVersion({ ...content }, siteUrl)).toBe(getOpenGraphVersion(content, siteUrl));
});
