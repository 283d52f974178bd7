import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import { FileWriteError, writeNewFile } from './new-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = createTempFolder();
  path = join(folder, 'a.csv');
});

async function* parts(text: string, error?: Error): AsyncGenerator<string> {
  yield text;
  if (error) throw error;
}

test('removes an incomplete draft, and keeps the existing file', async () => {
  writeFileSync(path, 'before');
  const failing = parts('half', new Error('the database went away'));
  await expect(writeNewFile(path, failing, { isForced: true })).rejects.toThrow('went away');
  expect(readdirSync(folder)).toEqual(['a.csv']);
  expect(readFileSync(path, 'utf8')).toBe('before');
});

test('overwrites only with force, and only a file', async () => {
  writeFileSync(path, 'before', { mode: 0o644 });
  writeFileSync(`${path}.part`, 'of another run', { mode: 0o644 });
  await expect(writeNewFile(path, parts('x'), { isForced: false })).rejects.toThrow(FileWriteError);
  rmSync(path);
  await expect(writeNewFile(path, parts('x'), { isForced: false })).rejects.toThrow(/FILE\.part exists/);
  expect(readFileSync(`${path}.part`, 'utf8')).toBe('of another run');
  await writeNewFile(path, parts('x'), { isForced: true });
  expect(readdirSync(folder)).toEqual(['a.csv']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
