import type { Clock } from '../../lib/clock.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { SuppressionReason } from '../../store/tables.ts';
import { noRequest, revokeConfirmations } from './cancel-requests.ts';
import { parseAddress } from './email-address.ts';
import type { Pseudonyms } from './pseudonym.ts';

export type SuppressDeps = {
  subscribers: Pick<Subscribers, 'inTransaction' | 'get'>;
  clock: Clock;
  newsletter: Pick<Pseudonyms, 'subscriberPseudonym'>;
};

/** A bounce or complaint about an unknown address stores nothing; the owner may suppress any address. */
export async function suppressSubscriber(
  { subscribers, clock, newsletter }: SuppressDeps,
  address: string,
  why: 'bounce' | 'complaint' | 'owner',
): Promise<{ kind: 'impossible' | 'unknown' | 'already' | 'suppressed' }> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'impossible' };
  const id = newsletter.subscriberPseudonym(parsed.key);
  if (why !== 'owner' && !(await subscribers.get(id))) return { kind: 'unknown' };
  const isNew = await suppressById(subscribers, id, why, clock.now().toISOString());
  return { kind: isNew ? 'suppressed' : 'already' };
}

/** False when nothing changed. */
export function suppressById(
  subscribers: Pick<Subscribers, 'inTransaction'>,
  id: string,
  why: SuppressionReason,
  now: string,
): Promise<boolean> {
  return subscribers.inTransaction(async transaction => {
    const isNew = await transaction.suppress({ id, why, now }, replacedBy(why));
    await transaction.updateSubscriber(id, noRequest);
    await revokeConfirmations(transaction, id, now);
    return isNew;
  });
}

/** A complaint replaces any other reason; any reason replaces an erasure. */
function replacedBy(why: SuppressionReason): SuppressionReason[] {
  return why === 'complaint' ? ['bounce', 'owner', 'erased'] : ['erased'];
}
