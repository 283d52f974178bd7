const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The first three are for a receiver that restarts; the others, three days in all, for one that is down. */
export const backoffDelays = [
  5 * second,
  15 * second,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** After the retry that outlasts greylisting. */
export const notifyAfterAttempts = backoffDelays.indexOf(30 * minute) + 2;

const maxRetryAfterMs = 24 * hour;

/** The circuit breaker: after this many refusals in a row a receiver is failing, and gets one delivery per probe interval. */
export const failureThreshold = 3;
export const probeEveryMs = minute;

/** Longer than any attempt: a lease expires only when its process is gone. */
export const leaseMs = 2 * minute;

/** Undefined after the last attempt. With 20 % jitter; never sooner than the receiver asked for (Retry-After). */
export function backoffDelay(failures: number, random: () => number, retryAfterMs = 0): number | undefined {
  const delay = backoffDelays[failures - 1];
  if (delay === undefined) return undefined;
  const jittered = delay * (0.8 + 0.4 * random());
  const requested = Math.min(Math.max(0, retryAfterMs), maxRetryAfterMs);
  return Math.round(requested > jittered ? requested + backoffDelays[0] * random() : jittered);
}
