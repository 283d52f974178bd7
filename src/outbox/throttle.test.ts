import { expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

test.each([
  [4, 4, [0, 0, 249, 250, 1000, 60_000, 60_000], [4, 0, 0, 1, 3, 4, 0]],
  [5, 1, [0, 199, 200, 400, 600, 60_000, 60_199], [1, 0, 1, 1, 1, 1, 0]],
])(
  'allows %i a second, never more than %i at once, and says how long to wait',
  (perSecond, burst, times, begun) => {
    let now = 0;
    const throttle = createThrottle(perSecond, { now: () => now, burst });
    const counts = times.map(time => {
      now = time;
      const available = throttle.available();
      for (let taken = 0; taken < available; taken += 1) throttle.take();
      return available;
    });
    expect(counts).toEqual(begun);
    now += throttle.waitMs() - 1;
    expect(throttle.available()).toBe(0);
    now += 1;
    expect(throttle.available()).toBe(1);
  },
);
