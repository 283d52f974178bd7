import { errorFields } from '../log.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { claimDue, pollMs } from './claim-due.ts';
import type { Delivery } from './deliveries.ts';
import type { Receiver } from './delivery.ts';
import { createReceiverHealth } from './receiver-health.ts';
import { backoffDelays, createExhaustedResult } from './retry-policy.ts';
import { settleAttempt } from './settle-attempt.ts';
import type { WorkerDeps } from './worker-deps.ts';

const attemptMs = 40_000;
/** Longer than any attempt: a lease expires only when its process is gone. */
const leaseMs = 2 * 60 * 1000;
const stopGraceMs = 4000;

export function createDeliveryQueue(deps: WorkerDeps, receiver: Receiver) {
  const inProgress = new Map<string, { delivery: Delivery; attempt: Promise<void> }>();
  const stopping = new AbortController();
  const health = createReceiverHealth(deps, receiver, stopping.signal);
  const loop = createLoop(sendDue, error =>
    deps.log.error('outbox not readable', { receiver: receiver.name, ...errorFields(error) }),
  );

  async function sendDue(): Promise<number> {
    const limit = receiver.concurrency - inProgress.size;
    if (limit <= 0 || !loop.isRunning()) return pollMs;
    const retryAfterMs = health.getRetryAfterMs();
    if (retryAfterMs > 0) return retryAfterMs;
    const deadline = performance.now() + attemptMs;
    const claimed = await claimDue(deps, receiver, { limit, leaseMs });
    if ('waitMs' in claimed) return claimed.waitMs;
    for (const delivery of claimed.deliveries) send(delivery, deadline);
    return 0;
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
      loop.wake();
    });
    inProgress.set(reference, { delivery, attempt });
  }

  async function processDelivery(delivery: Delivery, deadline: number): Promise<void> {
    const settle = (result: Awaited<ReturnType<typeof attemptDelivery>>) =>
      settleAttempt(deps, receiver, delivery, { result, stopping: stopping.signal });
    if (delivery.attempts > backoffDelays.length) return settle(createExhaustedResult(delivery));
    const signal = AbortSignal.any([AbortSignal.timeout(attemptMs), stopping.signal]);
    const result = await attemptDelivery(deps, receiver, delivery, { signal, deadline });
    // Before the settlement, or the delivery would be claimed again at once.
    await health.update(result.outcome);
    await settle(result);
  }

  return {
    start: loop.start,
    wake: loop.wake,
    async stop(): Promise<void> {
      const polled = loop.stop();
      const abortTimer = setTimeout(() => stopping.abort(), stopGraceMs);
      await polled;
      await Promise.all([...inProgress.values()].map(({ attempt }) => attempt));
      clearTimeout(abortTimer);
    },
  };
}

/** Runs one round at a time: when it is woken, and after the wait that the last round returned. */
function createLoop(run: () => Promise<number>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let isWoken = false;
  let isRunning = false;

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
        waitMs = await run();
      } while (isRunning && (isWoken || waitMs === 0));
    } catch (error) {
      onError(error);
    }
    polling = undefined;
    if (isRunning) timer = setTimeout(wake, Math.min(waitMs, pollMs));
  }

  return {
    wake,
    isRunning: () => isRunning,
    start(): void {
      isRunning = true;
      wake();
    },
    async stop(): Promise<void> {
      isRunning = false;
      clearTimeout(timer);
      await polling;
    },
  };
}
