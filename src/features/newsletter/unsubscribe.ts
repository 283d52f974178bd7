import type { Clock } from '../../core/clock.ts';
import type { SubscriberRow } from '../../core/database/tables.ts';
import { cancelConfirmationMails, noPersonalData, noRequest } from './cancel-requests.ts';
import type { NewsletterKeys } from './newsletter-keys.ts';
import type { SubscriberChange } from './subscriber-transaction.ts';
import type { Subscribers } from './subscribers.ts';

export type UnsubscribeDeps = {
  subscribers: Pick<Subscribers, 'inTransaction'>;
  clock: Clock;
  newsletterKeys: Pick<NewsletterKeys, 'isUnsubscribeKey'>;
};

export async function unsubscribe(
  deps: UnsubscribeDeps,
  link: { id: string; key: string },
): Promise<boolean> {
  if (!deps.newsletterKeys.isUnsubscribeKey(link.id, link.key)) return false;
  await unsubscribeSubscriberById(deps.subscribers, link.id, deps.clock.now().toISOString());
  return true;
}

export function unsubscribeSubscriberById(
  subscribers: Pick<Subscribers, 'inTransaction'>,
  id: string,
  now: string,
): Promise<boolean> {
  return subscribers.inTransaction(async transaction => {
    // A sign-up that waits would bring a confirmation mail later.
    await transaction.deleteSubscriberSignUps(id);
    const row = await transaction.lockSubscriber(id);
    const change = row && unsubscribed(row, now);
    await transaction.updateSubscriber(id, { ...noRequest, ...change });
    await cancelConfirmationMails(transaction, id, now);
    return change !== undefined;
  });
}

function unsubscribed(row: SubscriberRow, now: string): SubscriberChange | undefined {
  const { state, confirmed_at, unsubscribed_at, suppression_reason } = row;
  if (state === 'pending' && suppression_reason === 'erased')
    return { ...noPersonalData, state: 'suppressed' };
  // A pending subscriber who had unsubscribed before keeps the earlier time.
  if (state === 'pending' || state === 'confirmed')
    return { state: 'unsubscribed', unsubscribed_at: unsubscribed_at ?? now };
  // So that lifting the suppression does not subscribe the person again.
  const isSuppressed = state === 'suppressed' && confirmed_at !== null && unsubscribed_at === null;
  return isSuppressed ? { unsubscribed_at: now } : undefined;
}
