import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import { FileWriteError, writeNewFile } from './new-file.ts';

async function* parts(text: string, error?: Error): AsyncGenerator<string> {
  yield text;
  if (error) throw error;
}

test('overwrites a file only with force, and only with a complete one', async () => {
  const folder = createTempFolder();
  const path = join(folder, 'a.csv');
  writeFileSync(path, 'before', { mode: 0o644 });
  await expect(writeNewFile(path, parts('x'), { isForced: false })).rejects.toThrow(FileWriteError);
  const failing = parts('half', new Error('the database went away'));
  await expect(writeNewFile(path, failing, { isForced: true })).rejects.toThrow('went away');
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['a.csv'], 'before']);
  rmSync(path);
  writeFileSync(`${path}.part`, 'of another run', { mode: 0o644 });
  await expect(writeNewFile(path, parts('x'), { isForced: false })).rejects.toThrow(/FILE\.part exists/);
  expect(readFileSync(`${path}.part`, 'utf8')).toBe('of another run');
  await writeNewFile(path, parts('x'), { isForced: true });
  expect(readdirSync(folder)).toEqual(['a.csv']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
