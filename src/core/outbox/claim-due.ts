import type { Delivery } from './deliveries.ts';
import type { Receiver } from './delivery.ts';
import type { WorkerDeps } from './worker-deps.ts';

export const pollMs = 5000;
const contentionRetryMs = 100;

/** What was claimed, or else how long to wait. */
export async function claimDue(
  deps: WorkerDeps,
  receiver: Receiver,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<{ deliveries: Delivery[] } | { waitMs: number }> {
  const { outbox, receiverStates, clock, clockGuard, ids } = deps;
  const { name, perSecond, burst = perSecond } = receiver;
  const throttle = { perSecond, burst };
  if (await receiver.checkDiskSpace?.()) return { waitMs: pollMs };
  if (await clockGuard?.describeClockSkew()) return { waitMs: pollMs };
  const now = (await clockGuard?.leaseTime()) ?? clock.now();
  // Reads instead of a transaction: messages wait for the connection of SQLite meanwhile.
  const next = await outbox.nextDue(name);
  const untilNext = next === undefined ? pollMs : Date.parse(next) - now.getTime();
  if (untilNext > 0) return { waitMs: untilNext };
  const throttledMs = await outbox.msUntilCapacity(name, throttle);
  if (throttledMs > 0) return { waitMs: throttledMs };
  const deliveries = await outbox.claim({
    receiver: name,
    now: now.toISOString(),
    lease: ids.uuid(),
    leaseUntil: new Date(now.getTime() + leaseMs).toISOString(),
    limit,
    throttle,
  });
  if (deliveries.length > 0) return { deliveries };
  const isPaused = (await receiverStates.listPaused()).some(paused => paused.name === name);
  return { waitMs: isPaused ? pollMs : contentionRetryMs };
}
