import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffDelay, backoffDelays } from './backoff.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failures = fc.integer({ min: 1, max: backoffDelays.length });

describe('the backoff delay after a failure', () => {
  test('is 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, and then none', () => {
    const middle = Array.from({ length: 11 }, (_, index) => backoffDelay(index + 1, () => 0.5));
    const hours = (n: number) => n * 3_600_000;
    expect(middle).toEqual([
      5000,
      300_000,
      1_800_000,
      ...[2, 5, 10, 14, 20, 24].map(hours),
      undefined,
      undefined,
    ]);
  });

  test('is within a fifth of its step, and always longer than the one before', () => {
    fc.assert(
      fc.property(failures, chance, chance, (count, one, other) => {
        const pause = backoffDelay(count, () => one) as number;
        const step = backoffDelays[count - 1] as number;
        expect(Math.abs(pause - step)).toBeLessThanOrEqual(step / 5 + 1);
        if (count > 1 && count < 7)
          expect(pause).toBeGreaterThan(backoffDelay(count - 1, () => other) as number);
      }),
    );
  });

  test('is never shorter than what the receiver asked for, up to a day', () => {
    const retryAfter = fc.oneof(fc.integer({ min: -10, max: 10 ** 9 }), fc.constant(Number.MAX_SAFE_INTEGER));
    fc.assert(
      fc.property(failures, chance, retryAfter, (count, one, retryAfterMs) => {
        const pause = backoffDelay(count, () => one, retryAfterMs) as number;
        expect(pause).toBeGreaterThanOrEqual(Math.min(retryAfterMs, 24 * 3_600_000));
        expect(pause).toBeLessThanOrEqual(24 * 3_600_000 * 1.2 + 1);
      }),
    );
  });
});
