import { type AttemptResult, mustNotResend } from './attempt-delivery.ts';
import type { Delivery, Settlement } from './deliveries.ts';
import type { Receiver } from './delivery.ts';
import { storeFailure } from './failures.ts';
import type { WorkerDeps } from './worker-deps.ts';

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

/** After an attempt: delivered, tried again later, or ended for good. */
export function decideSettlement(
  { clock, random }: Pick<WorkerDeps, 'clock' | 'random'>,
  receiver: Receiver,
  delivery: Delivery,
  { outcome, ...flags }: AttemptResult,
): Settlement {
  const now = clock.now();
  const attempts = delivery.attempts + Number(outcome.kind !== 'interrupted');
  if (outcome.kind === 'delivered') return { state: 'delivered', attempts, now: now.toISOString(), ...flags };
  const reason = storeFailure(outcome.failure);
  const end = { attempts, reason, now: now.toISOString(), ...flags };
  if (outcome.kind === 'erased' || outcome.kind === 'permanent') return { state: 'failed', ...end };
  if (outcome.kind === 'cancelled') return { state: 'cancelled', ...end };
  if (flags.isAmbiguous && mustNotResend(receiver)) return { state: 'unconfirmed', ...end };
  // The receiver is paused, which is no fault of the delivery.
  if (outcome.kind === 'misconfigured') {
    return { state: 'waiting', ...end, attempts: delivery.attempts, dueAt: now.toISOString() };
  }
  const delayMs = backoffDelay(attempts, random, outcome.kind === 'retry' ? outcome.retryAfterMs : undefined);
  if (delayMs === undefined) return { state: 'failed', ...end };
  const dueAt = new Date(now.getTime() + delayMs).toISOString();
  return { state: 'waiting', ...end, dueAt };
}

/** Undefined after the last attempt. With 20 % jitter; never sooner than the receiver asked for (Retry-After). */
export function backoffDelay(failures: number, random: () => number, retryAfterMs = 0): number | undefined {
  const delay = backoffDelays[failures - 1];
  if (delay === undefined) return undefined;
  const jittered = delay * (0.8 + 0.4 * random());
  const requested = Math.min(Math.max(0, retryAfterMs), maxRetryAfterMs);
  return Math.round(requested > jittered ? requested + backoffDelays[0] * random() : jittered);
}

/** Each attempt ended with the process that made it, so another attempt would probably end a process, too. */
export function createExhaustedResult(delivery: Delivery): AttemptResult {
  const outcome = { kind: 'retry', failure: { code: 'exhausted' }, isAmbiguous: true } as const;
  return { outcome, isAmbiguous: true, isPossibleDuplicate: delivery.is_possible_duplicate === 1 };
}
