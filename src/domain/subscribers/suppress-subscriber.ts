import type { Clock } from '../../lib/clock.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import { parseAddress } from './address.ts';
import type { Naming } from './naming.ts';

export type SuppressDeps = {
  subscribers: Pick<Subscribers, 'suppress' | 'get'>;
  clock: Clock;
  newsletter: Pick<Naming, 'nameSubscriber'>;
};

export type SuppressResult = { kind: 'impossible' | 'unknown' | 'already' | 'suppressed' };

/**
 * Nothing is sent to the address any more. The owner may say so of any address; a bounce or a complaint about one that
 * is not known leaves no trace of it.
 */
export async function suppressSubscriber(
  { subscribers, clock, newsletter }: SuppressDeps,
  address: string,
  why: 'bounce' | 'complaint' | 'owner',
): Promise<SuppressResult> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'impossible' };
  const id = newsletter.nameSubscriber(parsed.key);
  if (why !== 'owner' && !(await subscribers.get(id))) return { kind: 'unknown' };
  const isNew = await subscribers.suppress(id, why, clock.now().toISOString());
  return { kind: isNew ? 'suppressed' : 'already' };
}
