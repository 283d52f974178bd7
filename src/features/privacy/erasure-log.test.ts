import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import type { ErasureLogRow } from '../../core/database/tables.ts';
import { createErasureFile, readErasures } from './erasure-log.ts';

test('an erasure that is written after an incomplete line is read', async () => {
  const file = createErasureFile(createTempFolder());
  const row = (hash: string): ErasureLogRow => ({
    ...{ hash, action: 'erase', done_at: '2026-01-02T03:04:05.678Z', counts: '{}' },
  });
  await file.append([row('one')]);
  appendFileSync(file.path, '{"hash":"to');
  await file.append([row('two'), row('three')]);
  const { rows, unreadable } = await readErasures(file.path);
  expect([rows.map(({ hash }) => hash), unreadable]).toEqual([['one', 'two', 'three'], 1]);
});
