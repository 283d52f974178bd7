import type { Clock } from '../../lib/clock.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import { parseAddress } from './email-address.ts';
import type { Pseudonyms } from './pseudonym.ts';

type UnsuppressDeps = {
  subscribers: Pick<Subscribers, 'inTransaction'>;
  clock: Clock;
  newsletter: Pick<Pseudonyms, 'subscriberPseudonym'>;
};

type LiftedState = 'confirmed' | 'unsubscribed' | 'forgotten';
type UnsuppressResult =
  | { kind: 'impossible' }
  | { kind: 'not suppressed' }
  | { kind: 'lifted'; state: LiftedState };

/** Restores no more consent than there was. */
export async function unsuppressSubscriber(
  { subscribers, clock, newsletter }: UnsuppressDeps,
  address: string,
): Promise<UnsuppressResult> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'impossible' };
  const id = newsletter.subscriberPseudonym(parsed.key);
  const state = await unsuppressById(subscribers, id, clock.now().toISOString());
  return state ? { kind: 'lifted', state } : { kind: 'not suppressed' };
}

/** To confirmed only if consent stands and there was no complaint. A row without an address is deleted. */
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
