import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import type { AuditRow } from '../../core/database/tables.ts';
import { createLedger, readErasures } from './erasure-ledger.ts';

test('an erasure that is written after an incomplete line is read', async () => {
  const ledger = createLedger(createTempFolder());
  const row = (hash: string): AuditRow => ({
    ...{ hash, action: 'erase', done_at: '2026-01-02T03:04:05.678Z', counts: '{}' },
  });
  await ledger.append([row('one')]);
  appendFileSync(ledger.path, '{"hash":"to');
  await ledger.append([row('two'), row('three')]);
  const { rows, unreadable } = await readErasures(ledger.path);
  expect([rows.map(({ hash }) => hash), unreadable]).toEqual([['one', 'two', 'three'], 1]);
});
