const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after the first failure, the second, and so on; about three days in all. */
export const pauses = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

const longestAskedFor = 24 * hour;

/** So many refusals in a row, and a receiver is failing: until it accepts one, it gets a new delivery once in this time. */
export const failingAfter = 3;
export const probeEveryMs = minute;

/** Longer than any attempt, so that a lease runs out only when its process is gone. */
export const leaseMs = 2 * minute;

/**
 * Milliseconds until the next attempt, or nothing when the last one was made. A fifth more or less by chance, so that
 * what failed together does not come back together; never sooner than the receiver asked for.
 */
export function pauseAfter(failures: number, random: () => number, retryAfterMs = 0): number | undefined {
  const pause = pauses[failures - 1];
  if (pause === undefined) return undefined;
  const jittered = pause * (0.8 + 0.4 * random());
  const asked = Math.min(Math.max(0, retryAfterMs), longestAskedFor);
  return Math.round(asked > jittered ? asked + pauses[0] * random() : jittered);
}
