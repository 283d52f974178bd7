import { expect, test } from 'vitest';
import { roomIn } from './throttles.ts';

const pace = { perSecond: 5, atOnce: 3 };

test.each([
  ['none has begun for a while', -60_000, { room: 3, usedMs: 0, waitMs: 0 }],
  ['one has just begun', 200, { room: 2, usedMs: 200, waitMs: 0 }],
  ['as many as may have begun together', 600, { room: 0, usedMs: 600, waitMs: 200 }],
  ['a part of that time is over', 450, { room: 0, usedMs: 450, waitMs: 50 }],
  ['as many have begun, rounded up', 600.9, { room: 0, usedMs: 600.9, waitMs: 201 }],
  ['an older setting was slower', 86_400_000, { room: 3, usedMs: 0, waitMs: 0 }],
])('there is room for so many when %s', (_, aheadMs, expected) => {
  expect(roomIn({ usedUntil: aheadMs, now: 0 }, pace)).toEqual(expected);
});

test('there is room for one at a time where fewer than one may begin together', () => {
  const slow = { perSecond: 5, atOnce: 0.5 };
  expect(roomIn({ usedUntil: 0, now: 1000 }, slow)).toMatchObject({ room: 1, waitMs: 0 });
  expect(roomIn({ usedUntil: 1150, now: 1000 }, slow)).toMatchObject({ room: 0, waitMs: 150 });
});
