import type { PendingFilter } from '../../store/pending-requests.ts';
import type { SignUps } from '../../store/sign-ups.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { SubscriberState } from '../../store/tables.ts';

export async function listSubscribers(
  { subscribers }: { subscribers: Pick<Subscribers, 'list' | 'count'> },
  { state, limit }: { state?: SubscriberState | undefined; limit: number },
) {
  const [found, total] = await Promise.all([
    subscribers.list({ ...(state && { state }) }, limit),
    subscribers.count(state),
  ]);
  return { total, subscribers: found };
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
