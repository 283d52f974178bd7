import { expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

/** How many begin in each of the milliseconds given, when as many begin as may. */
function begun(perSecond: number, times: number[], burst = perSecond): number[] {
  let now = 0;
  const pace = createThrottle(perSecond, { now: () => now, burst });
  return times.map(time => {
    now = time;
    const available = pace.available();
    for (let taken = 0; taken < available; taken += 1) pace.take();
    return available;
  });
}

test('begins so many a second and saves up no more than that', () => {
  expect(begun(4, [0, 0, 249, 250, 1000, 60_000, 60_000])).toEqual([4, 0, 0, 1, 3, 4, 0]);
});

test('begins them evenly where no more may come together', () => {
  expect(begun(5, [0, 199, 200, 400, 600, 60_000, 60_199, 60_200], 1)).toEqual([1, 0, 1, 1, 1, 1, 0, 1]);
});

test('begins one in so many seconds where that is all a receiver bears', () => {
  expect(begun(0.5, [0, 1999, 2000, 4000, 60_000])).toEqual([1, 0, 1, 1, 1]);
});

test('says how long to wait, and after that there is one', () => {
  let now = 0;
  const pace = createThrottle(3, { now: () => now });
  for (let taken = 0; taken < 3; taken += 1) pace.take();
  expect(pace.available()).toBe(0);
  expect(pace.waitMs()).toBe(334);
  now = pace.waitMs();
  expect(pace.available()).toBe(1);
});
