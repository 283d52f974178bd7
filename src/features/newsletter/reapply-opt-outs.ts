import type { SubscriberRow } from '../../core/database/tables.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import { eraseSubscriberById } from './erase-subscriber-rows.ts';
import type { NewsletterKeys } from './newsletter-keys.ts';
import type { Subscribers } from './subscribers.ts';
import { suppressSubscriberById } from './suppress-subscriber.ts';
import { unsubscribeSubscriberById } from './unsubscribe.ts';

type OptOutDeps = {
  subscribers: Pick<Subscribers, 'get' | 'inTransaction' | 'inErasingTransaction'>;
  newsletterKeys: Pick<NewsletterKeys, 'subscriberPseudonym'>;
};

/** Applies opt-outs from the replaced database to a backup. `isSameKey`: both derive their pseudonyms from one secret. */
export async function reapplyOptOuts(
  { subscribers, newsletterKeys }: OptOutDeps,
  optOuts: readonly SubscriberRow[],
  { isSameKey }: { isSameKey: boolean },
): Promise<number> {
  let applied = 0;
  for (const row of optOuts) {
    const { address, state, unsubscribed_at, suppressed_at, suppression_reason: reason } = row;
    const parsed = parseDeliverableAddress(address ?? '');
    const id = isSameKey ? row.id : parsed && newsletterKeys.subscriberPseudonym(parsed.lowerCaseAddress);
    if (id === undefined) continue;
    const confirmedAt = (await subscribers.get(id))?.confirmed_at ?? '';
    const isResubscribed = confirmedAt > (unsubscribed_at ?? '') && confirmedAt > (suppressed_at ?? '');
    // Signing up again ends neither a complaint nor what the owner decided.
    if (isResubscribed && reason !== 'complaint' && reason !== 'owner') continue;
    applied += 1;
    const isErased = address === null || (state === 'pending' && reason === 'erased');
    if (isErased) await eraseSubscriberById(subscribers, id, suppressed_at ?? unsubscribed_at ?? '');
    else if (unsubscribed_at !== null) await unsubscribeSubscriberById(subscribers, id, unsubscribed_at);
    if (suppressed_at === null || reason === '') continue;
    await suppressSubscriberById(subscribers, id, reason, suppressed_at);
  }
  return applied;
}
