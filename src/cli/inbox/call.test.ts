import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import type { Wired } from '../../server/wire.ts';
import { Refusal, readTime } from '../command.ts';
import { options } from './call.ts';
import { deliveries } from './deliveries.ts';
import { exportMessages } from './export.ts';
import { list } from './list.ts';
import { retry } from './retry.ts';

const now = new Date('2026-11-15T12:00:00.000Z');

test.each([
  ['7d', '2026-11-08T12:00:00.000Z'],
  ['24h', '2026-11-14T12:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T09:30', '2026-11-01T09:30:00.000Z'],
  ['2026-11-01T09:30+02:00', '2026-11-01T07:30:00.000Z'],
  ['2026-11-01T09:30:15.5Z', '2026-11-01T09:30:15.500Z'],
])('since %s is %s', (since, wanted) => {
  expect(readTime('--since', since, now)).toBe(wanted);
});

test.each([
  '',
  'yesterday',
  '7',
  '7 d',
  '-7d',
  '2026-13-01',
  '2026-02-31',
  '2026-2-1',
  '2026-11-01T25:00',
  '01/11/2026',
])('since %j is refused', since => {
  expect(() => readTime('--since', since, now)).toThrow(Refusal);
});

test.each([
  ['retry', retry, []],
  ['retry', retry, ['A', '--dead']],
  ['deliveries', deliveries, ['--dead', '--waiting']],
  ['deliveries', deliveries, ['--limit', '0']],
  ['deliveries', deliveries, ['--limit', '1e3']],
  ['list', list, ['--state', 'old']],
  ['list', list, ['--since', 'yesterday']],
  ['list', list, ['--search', ' ']],
  ['export', exportMessages, ['out.csv']],
  ['export', exportMessages, ['--csv', '--json', 'out.csv']],
])('%s refuses what it does not know before it asks the database', async (_, verb, args) => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const wired = { store: {}, clock: { now: () => now } } as Wired;
  await expect(verb(wired, { given: positionals, values })).rejects.toThrow(Refusal);
});
