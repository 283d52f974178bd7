import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readContent } from '../content/read-content.ts';
import type { Content } from '../content/schemas/all-schemas.ts';
import { forgetUnused, keepMade } from './build-cache.ts';
import { listFound } from './seo/indexed-pages.ts';
import { planPictures, versionOf } from './seo/open-graph-images.ts';
import { contentFolder } from './vite-config.ts';

const content = readContent(contentFolder).content as Content;

test('what was made once is not made again, until nothing has used it for a month', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-pictures-'));
  let drawn = 0;
  const draw = async () => Buffer.from(`drawn ${++drawn}`);
  const kept = async (key: string) => (await keepMade(folder, key, draw)).toString();
  expect([await kept('a'), await kept('a'), await kept('b')]).toEqual(['drawn 1', 'drawn 1', 'drawn 2']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
  utimesSync(join(folder, 'b'), new Date(0), new Date(0));
  forgetUnused([folder]);
  expect(readdirSync(folder)).toEqual(['a']);
  rmSync(folder, { recursive: true });
});

test('a file that a power cut left empty is made again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-pictures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a'), '');
  const made = await keepMade(folder, 'a', async () => Buffer.from('drawn'));
  expect(made.toString()).toBe('drawn');
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('drawn');
});

test('other words make another picture of their page alone, and another version of all', () => {
  const siteUrl = 'https://a.example';
  const plan = (words: Content) => planPictures(words, listFound(words), siteUrl);
  const other = { ...content, faq: { ...content.faq, picture: 'Asked and answered.' } };
  const [before, after] = [plan(content), plan(other)];
  const changed = after.filter(({ key }, index) => key !== before[index]?.key);
  expect(changed.map(({ path }) => path)).toEqual(['/share/faq.jpg']);
  expect(versionOf(other, siteUrl)).not.toBe(versionOf(content, siteUrl));
  expect(versionOf({ ...content }, siteUrl)).toBe(versionOf(content, siteUrl));
});
