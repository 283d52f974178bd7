import type { Clock } from '../../lib/clock.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { Naming } from './naming.ts';

export type LeaveDeps = {
  subscribers: Pick<Subscribers, 'leave'>;
  clock: Clock;
  newsletter: Pick<Naming, 'isLeaveKey'>;
};

/** True for a link of ours, whether or not there was still anything to leave; pressing twice is no mistake. */
export async function leaveNewsletter(deps: LeaveDeps, link: { id: string; key: string }): Promise<boolean> {
  if (!deps.newsletter.isLeaveKey(link.id, link.key)) return false;
  await deps.subscribers.leave(link.id, deps.clock.now().toISOString());
  return true;
}
