import type { Clock } from '../../core/clock.ts';
import type { SuppressionReason } from '../../core/database/tables.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import { cancelConfirmationMails, noRequest } from './cancel-requests.ts';
import type { NewsletterKeys } from './newsletter-keys.ts';
import type { Subscribers } from './subscribers.ts';

export type SuppressDeps = {
  subscribers: Pick<Subscribers, 'inTransaction' | 'get'>;
  clock: Clock;
  newsletterKeys: Pick<NewsletterKeys, 'subscriberPseudonym'>;
};

/** A bounce or complaint about an unknown address stores nothing; the owner may suppress any address. */
export async function suppressSubscriber(
  { subscribers, clock, newsletterKeys }: SuppressDeps,
  address: string,
  reason: 'bounce' | 'complaint' | 'owner',
): Promise<{ kind: 'invalid address' | 'unknown' | 'already suppressed' | 'suppressed' }> {
  const parsed = parseDeliverableAddress(address);
  if (!parsed) return { kind: 'invalid address' };
  const id = newsletterKeys.subscriberPseudonym(parsed.lowerCaseAddress);
  if (reason !== 'owner' && !(await subscribers.get(id))) return { kind: 'unknown' };
  const isNew = await suppressSubscriberById(subscribers, id, reason, clock.now().toISOString());
  return { kind: isNew ? 'suppressed' : 'already suppressed' };
}

export function suppressSubscriberById(
  subscribers: Pick<Subscribers, 'inTransaction'>,
  id: string,
  reason: SuppressionReason,
  now: string,
): Promise<boolean> {
  return subscribers.inTransaction(async transaction => {
    const isNew = await transaction.suppress({ id, reason, now }, replacedBy(reason));
    await transaction.updateSubscriber(id, noRequest);
    await cancelConfirmationMails(transaction, id, now);
    return isNew;
  });
}

function replacedBy(reason: SuppressionReason): SuppressionReason[] {
  return reason === 'complaint' ? ['bounce', 'owner', 'erased'] : ['erased'];
}

type UnsuppressedState = 'confirmed' | 'unsubscribed' | 'deleted';
type UnsuppressResult =
  | { kind: 'invalid address' }
  | { kind: 'not suppressed' }
  | { kind: 'unsuppressed'; state: UnsuppressedState };

export async function unsuppressSubscriber(
  { subscribers, clock, newsletterKeys }: SuppressDeps,
  address: string,
): Promise<UnsuppressResult> {
  const parsed = parseDeliverableAddress(address);
  if (!parsed) return { kind: 'invalid address' };
  const id = newsletterKeys.subscriberPseudonym(parsed.lowerCaseAddress);
  const state = await unsuppressById(subscribers, id, clock.now().toISOString());
  return state ? { kind: 'unsuppressed', state } : { kind: 'not suppressed' };
}

/** A subscriber who had not confirmed before the suppression is not confirmed after it. */
export function unsuppressById(
  subscribers: Pick<Subscribers, 'inTransaction'>,
  id: string,
  now: string,
): Promise<UnsuppressedState | undefined> {
  return subscribers.inTransaction(async transaction => {
    const row = await transaction.lockSubscriber(id);
    if (row?.state !== 'suppressed') return undefined;
    if (row.address === null) {
      await transaction.deleteSubscriber(id);
      return 'deleted';
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
