import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mayHold } from './local-copies.ts';
import { findOrphanedFiles } from './orphaned-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-stray-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('an address is found anywhere in a file, also across chunk boundaries', async () => {
  const [file, other] = [join(folder, 'list.csv'), join(folder, 'other.csv')];
  const part = 1 << 20;
  for (const before of [0, part - 8, part, 2 * part - 3]) {
    writeFileSync(file, `${'x'.repeat(before)} ann@example.com`);
    writeFileSync(other, 'x'.repeat(before));
    const mentions = (text: string) => text.includes('ann@example.com');
    const found = await findOrphanedFiles(folder, () => false, { mentions });
    expect(found.map(({ place }) => place)).toEqual([file]);
    const search = { part: 'ann@example', references: new Set<string>() };
    expect([await mayHold(file, search), await mayHold(other, search)]).toEqual([true, false]);
  }
  expect(await mayHold(join(folder, 'none'), { part: undefined, references: new Set() })).toBe(false);
});
