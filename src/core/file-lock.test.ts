import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import { withFileLock } from './file-lock.ts';

test('runs one task at a time, also after a killed process left its lock and after one has failed', async () => {
  const lock = join(createTempFolder(), 'file.lock');
  writeFileSync(lock, '');
  utimesSync(lock, new Date(0), new Date(0));
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
