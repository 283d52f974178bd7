import { expect, test } from 'vitest';
import { remainingCapacity } from './throttles.ts';

const throttle = { perSecond: 5, burst: 3 };

test.each([
  ['none has begun for a while', -60_000, { capacity: 3, usedMs: 0, waitMs: 0 }],
  ['one has just begun', 200, { capacity: 2, usedMs: 200, waitMs: 0 }],
  ['as many as may have begun together', 600, { capacity: 0, usedMs: 600, waitMs: 200 }],
  ['a part of that time is over', 450, { capacity: 0, usedMs: 450, waitMs: 50 }],
  ['as many have begun, rounded up', 600.9, { capacity: 0, usedMs: 600.9, waitMs: 201 }],
  ['an older setting was slower', 86_400_000, { capacity: 3, usedMs: 0, waitMs: 0 }],
])('there is room for so many when %s', (_, aheadMs, expected) => {
  expect(remainingCapacity({ usedUntil: aheadMs, now: 0 }, throttle)).toEqual(expected);
});
