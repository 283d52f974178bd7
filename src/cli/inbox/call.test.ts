import { expect, test } from 'vitest';
import { Refusal } from '../command.ts';
import { readSince } from './call.ts';

const now = new Date('2026-11-15T12:00:00.000Z');

test.each([
  ['7d', '2026-11-08T12:00:00.000Z'],
  ['24h', '2026-11-14T12:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T09:30', '2026-11-01T09:30:00.000Z'],
  ['2026-11-01T09:30+02:00', '2026-11-01T07:30:00.000Z'],
  ['2026-11-01T09:30:15.5Z', '2026-11-01T09:30:15.500Z'],
])('since %s is %s', (since, wanted) => {
  expect(readSince(since, now)).toBe(wanted);
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
  expect(() => readSince(since, now)).toThrow(Refusal);
});
