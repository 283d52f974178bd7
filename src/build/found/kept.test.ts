import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContent } from '../../content/read.ts';
import type { Content } from '../../content/schemas.ts';
import { contentFolder } from '../vite-config.ts';
import { keepDrawn } from './kept.ts';
import { planPictures, versionOf } from './pictures.ts';

const content = readContent(contentFolder).content as Content;

test('what was drawn once is not drawn again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-pictures-'));
  let drawn = 0;
  const draw = async () => Buffer.from(`drawn ${++drawn}`);
  const kept = async (key: string) => (await keepDrawn(key, draw, folder)).toString();
  expect([await kept('a'), await kept('a'), await kept('b')]).toEqual(['drawn 1', 'drawn 1', 'drawn 2']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
  rmSync(folder, { recursive: true });
});

test('other words make another picture of their page alone, and another version of all', () => {
  const before = planPictures(content, 'https://a.example');
  const faq = { ...content.faq, picture: 'Asked and answered.' };
  const after = planPictures({ ...content, faq }, 'https://a.example');
  const changed = after.filter(({ key }, index) => key !== before[index]?.key);
  expect(changed.map(({ path }) => path)).toEqual(['/share/faq.jpg']);
  expect(versionOf(after)).not.toBe(versionOf(before));
  expect(versionOf(planPictures(content, 'https://a.example'))).toBe(versionOf(before));
});
