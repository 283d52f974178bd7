import type { Outcome, Receiver } from '../deliveries/delivery.ts';
import type { Delivery, Settlement } from '../store/deliveries.ts';
import { type AttemptOutcome, type AttemptResult, mustNotResend } from './attempt-delivery.ts';
import { backoffDelay } from './backoff.ts';
import type { WorkerDeps } from './worker-deps.ts';

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
  const { reason } = outcome;
  const end = { attempts, reason, now: now.toISOString(), ...flags };
  if (outcome.kind === 'erased' || outcome.kind === 'permanent') return { state: 'failed', ...end };
  if (outcome.kind === 'cancelled') return { state: 'cancelled', ...end };
  if (flags.isAmbiguous && mustNotResend(receiver)) return { state: 'unconfirmed', ...end };
  if (outcome.kind === 'misconfigured') {
    return { state: 'waiting', ...end, attempts: delivery.attempts, dueAt: now.toISOString() };
  }
  const delayMs = backoffDelay(attempts, random, outcome.kind === 'retry' ? outcome.retryAfterMs : undefined);
  if (delayMs === undefined) return { state: 'failed', ...end };
  const dueAt = new Date(now.getTime() + delayMs).toISOString();
  return { state: 'waiting', ...end, dueAt };
}

export function countsAsRefusal(
  outcome: AttemptOutcome,
): outcome is Extract<Outcome, { kind: 'retry' | 'permanent' }> {
  return outcome.kind === 'permanent' || (outcome.kind === 'retry' && outcome.isRefused === true);
}

/** Each attempt ended with the process that made it, so another attempt would probably end a process, too. */
export function createExhaustedResult(delivery: Delivery): AttemptResult {
  const outcome = { kind: 'retry', reason: 'no attempt finished', isAmbiguous: true } as const;
  return { outcome, isAmbiguous: true, isPossibleDuplicate: delivery.is_possible_duplicate === 1 };
}
