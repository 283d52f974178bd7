import { errorFields } from '../log.ts';
import type { AttemptOutcome } from './attempt-delivery.ts';
import type { Receiver } from './delivery.ts';
import { describeFailure, type Failure, storeFailure } from './failures.ts';
import { retryWrite } from './retry-write.ts';
import type { WorkerDeps } from './worker-deps.ts';

/** A longer Retry-After applies only to the delivery that got it. */
const maxReceiverPauseMs = 60 * 60 * 1000;

type HealthDeps = Pick<WorkerDeps, 'receiverStates' | 'reportProblem' | 'clock' | 'log'>;

export function createReceiverHealth(deps: HealthDeps, receiver: Receiver, stopping: AbortSignal) {
  const { receiverStates, clock, log } = deps;
  const { name } = receiver;
  let retryAfterUntil = 0;

  async function pause(failure: Failure): Promise<void> {
    const write = () => receiverStates.pause(name, storeFailure(failure), clock.now().toISOString());
    if (!(await retryWrite({ log, name, stopping }, write))) return;
    log.error('receiver paused', { receiver: name, reason: describeFailure(failure) });
    // If this fails, `reportMissedProblems` does it later: the delivery must be settled all the same.
    await deps
      .reportProblem(receiver, 'paused', failure)
      .catch(error => log.error('owner notice not stored', errorFields(error)));
  }

  return {
    /** How long the receiver asked to be left alone. */
    getRetryAfterMs: () => retryAfterUntil - performance.now(),

    async update(outcome: AttemptOutcome): Promise<void> {
      try {
        if (outcome.kind === 'retry' && outcome.retryAfterMs) {
          const until = performance.now() + Math.min(outcome.retryAfterMs, maxReceiverPauseMs);
          retryAfterUntil = Math.max(retryAfterUntil, until);
        }
        if (outcome.kind === 'misconfigured') await pause(outcome.failure);
      } catch (error) {
        log.error('receiver state not stored', { receiver: name, ...errorFields(error) });
      }
    },
  };
}
