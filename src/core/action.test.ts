import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limit, time } from './action.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-15T12:00:00.000Z') }));
afterEach(() => void vi.useRealTimers());

test.each([
  ['7d', '2026-11-08T12:00:00.000Z'],
  ['2026-11-01T09:30+02:00', '2026-11-01T07:30:00.000Z'],
  ['2026-11-01T09:30:15.5Z', '2026-11-01T09:30:15.500Z'],
])('the time %s is %s', (given, wanted) => {
  expect(v.parse(time, given)).toBe(wanted);
});

test.each(['', '7', '-7d', '2026-02-31', '2026-2-1', '2026-11-01T25:00'])('the time %j is rejected', given =>
  expect(v.is(time, given)).toBe(false),
);

test.each(['0', '1e3', '-1', ''])('the limit %j is rejected', given =>
  expect(v.is(limit, given)).toBe(false),
);
