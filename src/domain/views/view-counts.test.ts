import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import type { ViewRow } from '../../store/tables.ts';
import type { View } from './read-view.ts';
import { createViewCounts, mostRows } from './view-counts.ts';

const view: View = { kind: 'view', path: '/', referrer: '', source: '', medium: '', campaign: '' };
let added: ViewRow[][];
let failure: Error | undefined;

beforeEach(() => {
  added = [];
  failure = undefined;
  vi.useFakeTimers({ now: new Date('2026-11-15T23:59:30Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const { log, lines } = collectLog();
  const views = {
    async add(rows: readonly ViewRow[]) {
      if (failure) throw failure;
      added.push([...rows]);
    },
  };
  return { lines, ...createViewCounts({ views, clock: { now: () => new Date() }, log }) };
}

test('views are stored once a minute, together, each under its own day', async () => {
  const { count } = start();
  count(view);
  count(view);
  await vi.advanceTimersByTimeAsync(40_000);
  count(view);
  expect(added).toEqual([]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(added).toEqual([
    [
      { ...view, day: '2026-11-15', count: 2 },
      { ...view, day: '2026-11-16', count: 1 },
    ],
  ]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(added).toHaveLength(1);
});

test('what cannot be stored is told of and counted on', async () => {
  const { count, lines } = start();
  failure = new Error('disk full');
  count(view);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines.join()).toContain('views not stored');
  failure = undefined;
  count(view);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(added.flat().reduce((sum, row) => sum + row.count, 0)).toBe(2);
});

test('somebody who makes up sites and campaigns fills neither memory nor table', async () => {
  const { count, flush } = start();
  for (let made = 0; made < mostRows + 500; made += 1) count({ ...view, referrer: `a${made}.example` });
  count({ ...view, path: '/contact', campaign: 'late' });
  await flush();
  const rows = added.flat();
  expect(rows).toHaveLength(mostRows + 2);
  const other = { referrer: 'other', source: 'other', medium: 'other', campaign: 'other' };
  expect(rows.slice(mostRows)).toEqual([
    { ...view, ...other, day: '2026-11-15', count: 500 },
    { ...view, ...other, path: '/contact', day: '2026-11-15', count: 1 },
  ]);
});
