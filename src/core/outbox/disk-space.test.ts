import { expect, test } from 'vitest';
import { createDiskSpaceCheck } from './disk-space.ts';

const mb = 1024 * 1024;

test('files are not written below the minimum; a minimum of 0, or a disk that cannot be measured, stops nothing', async () => {
  const free = async () => 499 * mb;
  expect(await createDiskSpaceCheck('.', 500 * mb, free)()).toMatch(/^499 MB .* 500 MB$/);
  expect(await createDiskSpaceCheck('.', 499 * mb, free)()).toBeUndefined();
  expect(await createDiskSpaceCheck('.', 0, async () => 0)()).toBeUndefined();
  expect(await createDiskSpaceCheck('/nowhere/at/all', 500 * mb)()).toBeUndefined();
  expect(await createDiskSpaceCheck('.', Number.MAX_SAFE_INTEGER)()).toMatch(/^\d+ MB .* free/);
});
