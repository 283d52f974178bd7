import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import { findUnmanagedFiles } from './unmanaged-files.ts';

test('an address is found anywhere in a file, also across chunk boundaries', async () => {
  const folder = createTempFolder();
  const [file, other] = [join(folder, 'list.csv'), join(folder, 'other.csv')];
  const part = 1 << 20;
  for (const before of [0, part - 8, part, 2 * part - 3]) {
    writeFileSync(file, `${'x'.repeat(before)} ann@example.com`);
    writeFileSync(other, 'x'.repeat(before));
    const mentions = (text: string) => text.includes('ann@example.com');
    const found = await findUnmanagedFiles(folder, () => false, { mentions });
    expect(found.map(({ path }) => path)).toEqual([file]);
  }
});
