import { setTimeout as wait } from 'node:timers/promises';
import type { PendingCounts, PendingFilter } from '../../store/pending.ts';
import type { Subscribers } from '../../store/subscribers.ts';

type DropDeps = { subscribers: Pick<Subscribers, 'dropPending'> };

/** How long visitors' turn is between two parts. */
const betweenMs = 20;

/** Drops visitors' requests that are not confirmed, a part at a time while the site serves. How many. */
export async function dropPending({ subscribers }: DropDeps, filter: PendingFilter): Promise<PendingCounts> {
  const total = { signUps: 0, subscribers: 0 };
  for (;;) {
    const dropped = await subscribers.dropPending(filter);
    if (dropped.signUps + dropped.subscribers === 0) return total;
    total.signUps += dropped.signUps;
    total.subscribers += dropped.subscribers;
    await wait(betweenMs);
  }
}
