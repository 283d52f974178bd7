import { expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

/** How many begin in each of the milliseconds given, when as many begin as may. */
function begun(perSecond: number, times: number[], burst = perSecond): number[] {
  let now = 0;
  const throttle = createThrottle(perSecond, { now: () => now, burst });
  return times.map(time => {
    now = time;
    const available = throttle.available();
    for (let taken = 0; taken < available; taken += 1) throttle.take();
    return available;
  });
}

test('allows so many a second and accumulates no more than that', () => {
  expect(begun(4, [0, 0, 249, 250, 1000, 60_000, 60_000])).toEqual([4, 0, 0, 1, 3, 4, 0]);
});

test('spaces them evenly where the burst is one', () => {
  expect(begun(5, [0, 199, 200, 400, 600, 60_000, 60_199, 60_200], 1)).toEqual([1, 0, 1, 1, 1, 1, 0, 1]);
});

test('says how long to wait until the next one is allowed', () => {
  let now = 0;
  const throttle = createThrottle(3, { now: () => now });
  for (let taken = 0; taken < 3; taken += 1) throttle.take();
  expect(throttle.available()).toBe(0);
  expect(throttle.waitMs()).toBe(334);
  now = throttle.waitMs();
  expect(throttle.available()).toBe(1);
});
