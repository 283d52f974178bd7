import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import { deleteUnusedFiles, getCachedOrCreate } from './build-cache.ts';

test('a cached file is reused unless it is empty, and deleted when unused for a month', async () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'a'), '');
  let drawn = 0;
  const draw = async () => Buffer.from(`drawn ${++drawn}`);
  const read = async (key: string) => (await getCachedOrCreate(folder, key, draw)).toString();
  expect([await read('a'), await read('a'), await read('b')]).toEqual(['drawn 1', 'drawn 1', 'drawn 2']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
  utimesSync(join(folder, 'b'), new Date(0), new Date(0));
  deleteUnusedFiles([folder]);
  expect(readdirSync(folder)).toEqual(['a']);
});
