import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { withFileLock } from './file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'lock-'));
const lock = join(folder, 'file.lock');
afterAll(() => rmSync(folder, { recursive: true }));

test('runs one task at a time, also after one has failed', async () => {
  let running = 0;
  const work = async (fails: boolean) => {
    running++;
    expect(running).toBe(1);
    await wait(5);
    running--;
    if (fails) throw new Error('failed');
  };
  const all = Array.from({ length: 8 }, (_, index) => withFileLock(lock, () => work(index === 3)));
  const results = await Promise.allSettled(all);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(existsSync(lock)).toBe(false);
});

test('takes over the stale lock of a killed process', async () => {
  writeFileSync(lock, '');
  utimesSync(lock, new Date(0), new Date(0));
  expect(await withFileLock(lock, async () => 'done')).toBe('done');
});
