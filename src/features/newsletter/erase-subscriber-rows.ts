import type { Clock } from '../../core/clock.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import { noPersonalData } from './cancel-requests.ts';
import type { NewsletterKeys } from './newsletter-keys.ts';
import type { Subscribers } from './subscribers.ts';

type EraseDeps = {
  subscribers: Pick<Subscribers, 'inErasingTransaction'>;
  clock: Clock;
  newsletterKeys: Pick<NewsletterKeys, 'subscriberPseudonym'>;
};

export type EraseResult = { kind: 'invalid address' | 'unknown' | 'erased' };

/** A keyed hash stays, so that no import brings the address back. */
export async function eraseSubscriberRows(
  { subscribers, clock, newsletterKeys }: EraseDeps,
  address: string,
): Promise<EraseResult> {
  const parsed = parseDeliverableAddress(address);
  if (!parsed) return { kind: 'invalid address' };
  const id = newsletterKeys.subscriberPseudonym(parsed.lowerCaseAddress);
  const isKnown = await eraseSubscriberById(subscribers, id, clock.now().toISOString());
  return { kind: isKnown ? 'erased' : 'unknown' };
}

export function eraseSubscriberById(
  subscribers: Pick<Subscribers, 'inErasingTransaction'>,
  id: string,
  now: string,
): Promise<boolean> {
  return subscribers.inErasingTransaction(async transaction => {
    const signUps = await transaction.deleteSubscriberSignUps(id);
    const row = await transaction.lockSubscriber(id);
    if (row) {
      // A suppression outlives erasure: an address that complained gets nothing when it is entered again.
      const suppression =
        row.state === 'suppressed' ? {} : ({ suppressed_at: now, suppression_reason: 'erased' } as const);
      await transaction.updateSubscriber(id, { ...noPersonalData, state: 'suppressed', ...suppression });
    }
    await transaction.deleteTokens(id);
    // Deliveries that arrived go, too: which issues a person got is personal data, and a mail server's answer may name them.
    await transaction.deleteDeliveries(id);
    if (!row && signUps > 0) await transaction.insertSuppressed({ id, reason: 'erased', now });
    return row !== undefined || signUps > 0;
  });
}
