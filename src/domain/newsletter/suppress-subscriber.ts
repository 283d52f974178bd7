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
  reason: 'bounce' | 'complaint' | 'owner',
): Promise<{ kind: 'invalid address' | 'unknown' | 'already suppressed' | 'suppressed' }> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'invalid address' };
  const id = newsletter.subscriberPseudonym(parsed.key);
  if (reason !== 'owner' && !(await subscribers.get(id))) return { kind: 'unknown' };
  const isNew = await suppressById(subscribers, id, reason, clock.now().toISOString());
  return { kind: isNew ? 'suppressed' : 'already suppressed' };
}

export function suppressById(
  subscribers: Pick<Subscribers, 'inTransaction'>,
  id: string,
  reason: SuppressionReason,
  now: string,
): Promise<boolean> {
  return subscribers.inTransaction(async transaction => {
    const isNew = await transaction.suppress({ id, reason, now }, replacedBy(reason));
    await transaction.updateSubscriber(id, noRequest);
    await revokeConfirmations(transaction, id, now);
    return isNew;
  });
}

function replacedBy(reason: SuppressionReason): SuppressionReason[] {
  return reason === 'complaint' ? ['bounce', 'owner', 'erased'] : ['erased'];
}

type LiftedState = 'confirmed' | 'unsubscribed' | 'forgotten';
type UnsuppressResult =
  | { kind: 'invalid address' }
  | { kind: 'not suppressed' }
  | { kind: 'lifted'; state: LiftedState };

export async function unsuppressSubscriber(
  { subscribers, clock, newsletter }: SuppressDeps,
  address: string,
): Promise<UnsuppressResult> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'invalid address' };
  const id = newsletter.subscriberPseudonym(parsed.key);
  const state = await unsuppressById(subscribers, id, clock.now().toISOString());
  return state ? { kind: 'lifted', state } : { kind: 'not suppressed' };
}

/** A subscriber who had not confirmed before the suppression is not confirmed after it. */
export function unsuppressById(
  subscribers: Pick<Subscribers, 'inTransaction'>,
  id: string,
  now: string,
): Promise<LiftedState | undefined> {
  return subscribers.inTransaction(async transaction => {
    const row = await transaction.lockSubscriber(id);
    if (row?.state !== 'suppressed') return undefined;
    if (row.address === null) {
      await transaction.deleteSubscriber(id);
      return 'forgotten';
    }
    const hasConsent =
      row.confirmed_at !== null && row.unsubscribed_at === null && row.suppression_reason !== 'complaint';
    const state = hasConsent ? 'confirmed' : 'unsubscribed';
    await transaction.updateSubscriber(id, {
      state,
      unsubscribed_at: hasConsent ? null : (row.unsubscribed_at ?? now),
      suppressed_at: null,
      suppression_reason: '',
    });
    return state;
  });
}
