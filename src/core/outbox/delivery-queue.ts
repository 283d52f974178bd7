import { setTimeout as wait } from 'node:timers/promises';
import { suppressSubscriberById } from '../../features/newsletter/suppress-subscriber.ts';
import { errorFields } from '../log.ts';
import { type AttemptOutcome, type AttemptResult, attemptDelivery } from './attempt-delivery.ts';
import type { Delivery, Settlement } from './deliveries.ts';
import { isForOwner, isNewsletterQueue, type Receiver, type ReceiverName } from './delivery.ts';
import type { ReceiverProblem } from './owner-notices.ts';
import {
  backoffDelays,
  createExhaustedResult,
  decideSettlement,
  notifyAfterAttempts,
} from './retry-policy.ts';
import type { WorkerDeps } from './worker-deps.ts';

const pollMs = 5000;
const contentionRetryMs = 100;
const attemptMs = 40_000;
/** Longer than any attempt: a lease expires only when its process is gone. */
const leaseMs = 2 * 60 * 1000;
const stopGraceMs = 4000;
/** A longer Retry-After applies only to the delivery that got it. */
const maxReceiverPauseMs = 60 * 60 * 1000;
const settleRetryDelays = [200, 1000, 5000, 15_000];

type NotifyOwner = (receiver: ReceiverName, problem: ReceiverProblem, reason: string) => Promise<void>;

export function createDeliveryQueue(deps: WorkerDeps, receiver: Receiver, notifyOwner: NotifyOwner) {
  const { outbox, receiverStates, clock, ids, log } = deps;
  const { name } = receiver;
  // A mail provider's limit holds for the first second, too.
  const burst = isNewsletterQueue(name) ? receiver.perSecond / 10 : receiver.perSecond;
  const throttle = { perSecond: receiver.perSecond, burst };
  const inProgress = new Map<string, { delivery: Delivery; attempt: Promise<void> }>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let isWoken = false;
  let isRunning = false;
  let retryAfterUntil = 0;

  function wake(): void {
    isWoken = true;
    if (!isRunning || polling) return;
    polling = poll();
  }

  async function poll(): Promise<void> {
    clearTimeout(timer);
    let waitMs = pollMs;
    try {
      do {
        isWoken = false;
        waitMs = await claimDue();
      } while (isRunning && (isWoken || waitMs === 0));
    } catch (error) {
      log.error('outbox not readable', { receiver: name, ...errorFields(error) });
    }
    polling = undefined;
    if (isRunning) timer = setTimeout(wake, Math.min(waitMs, pollMs));
  }

  async function claimDue(): Promise<number> {
    const limit = receiver.concurrency - inProgress.size;
    if (limit <= 0 || !isRunning) return pollMs;
    const pausedMs = retryAfterUntil - performance.now();
    if (pausedMs > 0) return pausedMs;
    if (await receiver.checkDiskSpace?.()) return pollMs;
    if (await deps.clockGuard?.describeClockSkew()) return pollMs;
    const now = (await deps.clockGuard?.leaseTime()) ?? clock.now();
    // Reads instead of a transaction: messages wait for the connection of SQLite meanwhile.
    const next = await outbox.nextDue(name);
    const untilNext = next === undefined ? pollMs : Date.parse(next) - now.getTime();
    if (untilNext > 0) return untilNext;
    const throttledMs = await outbox.msUntilCapacity(name, throttle);
    if (throttledMs > 0) return throttledMs;
    const deadline = performance.now() + attemptMs;
    const claimed = await outbox.claim({
      receiver: name,
      now: now.toISOString(),
      lease: ids.uuid(),
      leaseUntil: new Date(now.getTime() + leaseMs).toISOString(),
      limit,
      throttle,
    });
    for (const delivery of claimed) send(delivery, deadline);
    if (claimed.length > 0) return 0;
    const isPaused = (await receiverStates.listPaused()).some(one => one.name === name);
    return isPaused ? pollMs : contentionRetryMs;
  }

  function send(delivery: Delivery, deadline: number): void {
    const { reference, lease } = delivery;
    const known = inProgress.get(reference);
    // After a suspend a process may claim its own delivery again, and must not send it twice.
    if (known) {
      known.delivery.lease = lease;
      return;
    }
    const attempt = processDelivery(delivery, deadline).finally(() => {
      inProgress.delete(reference);
      wake();
    });
    inProgress.set(reference, { delivery, attempt });
  }

  async function processDelivery(delivery: Delivery, deadline: number): Promise<void> {
    if (delivery.attempts > backoffDelays.length)
      return settleAttempt(delivery, createExhaustedResult(delivery));
    const signal = AbortSignal.any([AbortSignal.timeout(attemptMs), stopping.signal]);
    const result = await attemptDelivery(deps, receiver, delivery, { signal, deadline });
    // Before the settlement, or the delivery would be claimed again at once.
    await updateReceiverState(result.outcome);
    await settleAttempt(delivery, result);
  }

  async function updateReceiverState(outcome: AttemptOutcome): Promise<void> {
    try {
      if (outcome.kind === 'retry' && outcome.retryAfterMs) {
        retryAfterUntil = Math.max(
          retryAfterUntil,
          performance.now() + Math.min(outcome.retryAfterMs, maxReceiverPauseMs),
        );
      }
      if (outcome.kind === 'misconfigured') await pause(outcome.reason);
    } catch (error) {
      log.error('receiver state not stored', { receiver: name, ...errorFields(error) });
    }
  }

  async function settleAttempt(delivery: Delivery, result: AttemptResult): Promise<void> {
    try {
      const settlement = decideSettlement(deps, receiver, delivery, result);
      const isSettled = await retryWrite(() => outbox.settle(delivery, settlement));
      if (!isSettled) log.warn('lease lost', { receiver: name, reference: getLogReference(delivery) });
      else {
        deps.onSettled?.(name, settlement.state);
        await reportSettlement(delivery, result, settlement);
      }
      await suppressBounced(delivery, result.outcome);
    } catch (error) {
      // Its lease expires, and the next claim marks it as ambiguous.
      log.error('delivery not settled', { receiver: name, ...errorFields(error) });
    }
  }

  /** A short outage of the database must not make a finished delivery look ambiguous. */
  async function retryWrite(write: () => Promise<boolean>): Promise<boolean> {
    for (const delayMs of settleRetryDelays) {
      try {
        return await write();
      } catch (error) {
        if (stopping.signal.aborted) throw error;
        log.warn('delivery not settled yet', { receiver: name, ...errorFields(error) });
        await wait(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
    return write();
  }

  async function reportSettlement(
    delivery: Delivery,
    { outcome }: AttemptResult,
    { state, attempts }: Settlement,
  ): Promise<void> {
    const fields = {
      receiver: name,
      destination: receiver.destination,
      reference: getLogReference(delivery),
      attempts,
    };
    if (outcome.kind === 'delivered') return log.info('delivered', fields);
    if (state === 'cancelled') return log.info('delivery cancelled', { ...fields, reason: outcome.reason });
    log.warn(state === 'unconfirmed' ? 'delivery unconfirmed' : 'delivery attempt failed', {
      ...fields,
      reason: outcome.reason,
    });
    const isReported = isForOwner(name) || isNewsletterQueue(name);
    if (isReported && outcome.kind === 'retry' && state === 'waiting' && attempts >= notifyAfterAttempts)
      await notifyOwner(name, 'failing', outcome.reason);
    if (outcome.kind === 'erased' || state !== 'failed') return;
    log.error('delivery failed permanently', { ...fields, reason: outcome.reason });
    if (isForOwner(name)) await notifyOwner(name, 'failed', outcome.reason);
  }

  async function suppressBounced({ kind, subscriber }: Delivery, outcome: AttemptOutcome): Promise<void> {
    if (kind !== 'issue' || outcome.kind !== 'permanent' || !outcome.isUnknownMailbox) return;
    const isNew = await suppressSubscriberById(
      deps.subscribers,
      subscriber as string,
      'bounce',
      clock.now().toISOString(),
    );
    if (isNew) log.info('subscriber suppressed', { reason: 'bounce' });
  }

  async function pause(reason: string): Promise<void> {
    if (!(await retryWrite(() => receiverStates.pause(name, reason, clock.now().toISOString())))) return;
    log.error('receiver paused', { receiver: name, reason });
    // If this fails, `sendMissedNotices` does it later: the delivery must be settled all the same.
    await notifyOwner(name, 'paused', reason).catch(error =>
      log.error('owner notice not stored', errorFields(error)),
    );
  }

  return {
    start(): void {
      isRunning = true;
      wake();
    },
    wake,
    async stop(): Promise<void> {
      isRunning = false;
      clearTimeout(timer);
      const abortTimer = setTimeout(() => stopping.abort(), stopGraceMs);
      await polling;
      await Promise.all([...inProgress.values()].map(({ attempt }) => attempt));
      clearTimeout(abortTimer);
    },
  };
}

/** Which issues a subscriber got is personal data: the log, which outlives erasure, contains the issue's reference instead. */
function getLogReference({ reference, issue }: Delivery): string {
  return issue ?? reference;
}
