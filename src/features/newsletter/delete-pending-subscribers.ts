import { setTimeout as wait } from 'node:timers/promises';
import { cancelPendingRequests } from './cancel-requests.ts';
import type { PendingCounts, PendingFilter } from './pending-requests.ts';
import type { SignUps } from './sign-ups.ts';
import type { Subscribers } from './subscribers.ts';

type DeleteDeps = { subscribers: Pick<Subscribers, 'inErasingTransaction'> };

/** Rows in one transaction, for which visitors' requests wait, and the pause before the next. */
const [maxRows, pauseMs] = [500, 20];

export async function deletePendingSubscribers(
  { subscribers }: DeleteDeps,
  filter: PendingFilter,
): Promise<PendingCounts> {
  const total = { signUps: 0, subscribers: 0 };
  for (;;) {
    const dropped = await deleteBatch(subscribers, filter);
    if (dropped.signUps + dropped.subscribers === 0) return total;
    total.signUps += dropped.signUps;
    total.subscribers += dropped.subscribers;
    await wait(pauseMs);
  }
}

function deleteBatch(subscribers: DeleteDeps['subscribers'], filter: PendingFilter): Promise<PendingCounts> {
  return subscribers.inErasingTransaction(async transaction => {
    const signUps = await transaction.deleteVisitorSignUps(filter, maxRows);
    const ids = await transaction.lockPending(filter, maxRows);
    const ended = await cancelPendingRequests(transaction, { ids });
    await transaction.deleteTokensOfSubscribers(ids);
    // A confirmation that was sent stays, so that its mailbox gets no second one within a day.
    await transaction.deleteWaitingConfirmations(ids);
    return { signUps, subscribers: ended };
  });
}

export async function listPendingRequests(
  { signUps }: { signUps: Pick<SignUps, 'listPendingNetworks' | 'countPending'> },
  { limit, ...filter }: PendingFilter & { limit: number },
) {
  const [networks, total] = await Promise.all([
    signUps.listPendingNetworks(filter, limit),
    signUps.countPending(filter),
  ]);
  return { networks, total };
}
