import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffDelay, backoffDelays } from './backoff.ts';

const day = 24 * 3_600_000;
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failures = fc.integer({ min: 1, max: backoffDelays.length });
const retryAfter = fc.oneof(fc.integer({ min: -10, max: 10 ** 9 }), fc.constant(Number.MAX_SAFE_INTEGER));

test('the delay is within a fifth of its step, and never shorter than the receiver asked for, up to a day', () => {
  fc.assert(
    fc.property(failures, chance, retryAfter, (count, one, retryAfterMs) => {
      const step = backoffDelays[count - 1] as number;
      const usual = backoffDelay(count, () => one) as number;
      expect(Math.abs(usual - step)).toBeLessThanOrEqual(step / 5 + 1);
      const asked = backoffDelay(count, () => one, retryAfterMs) as number;
      expect(asked).toBeGreaterThanOrEqual(Math.max(usual, Math.min(retryAfterMs, day)));
      expect(asked).toBeLessThanOrEqual(day * 1.2 + 1);
    }),
  );
});
