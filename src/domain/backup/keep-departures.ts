import type { Subscribers } from '../../store/subscribers.ts';
import type { SubscriberRow } from '../../store/tables.ts';
import { parseAddress } from '../newsletter/email-address.ts';
import type { Naming } from '../newsletter/pseudonym.ts';

type KeepDeps = {
  /** Of the backup. */
  subscribers: Pick<Subscribers, 'get' | 'erase' | 'leave' | 'suppress'>;
  newsletter: Pick<Naming, 'nameSubscriber'>;
};

/** Applies departures of the replaced database to a backup. `isSameKey`: ids of both are made with the same secret. How many. */
export async function keepDepartures(
  { subscribers, newsletter }: KeepDeps,
  departures: readonly SubscriberRow[],
  { isSameKey }: { isSameKey: boolean },
): Promise<number> {
  let kept = 0;
  for (const row of departures) {
    const { address, state, left_at, suppressed_at, suppressed_why: why } = row;
    const parsed = parseAddress(address ?? '');
    const id = isSameKey ? row.id : parsed && newsletter.nameSubscriber(parsed.key);
    if (id === undefined) continue;
    const confirmedAt = (await subscribers.get(id))?.confirmed_at ?? '';
    const isBack = confirmedAt > (left_at ?? '') && confirmedAt > (suppressed_at ?? '');
    // Signing up again ends neither a complaint nor what the owner decided.
    if (isBack && why !== 'complaint' && why !== 'owner') continue;
    kept += 1;
    const isErased = address === null || (state === 'pending' && why === 'erased');
    if (isErased) await subscribers.erase(id, suppressed_at ?? left_at ?? '');
    else if (left_at !== null) await subscribers.leave(id, left_at);
    if (suppressed_at === null || why === '') continue;
    await subscribers.suppress(id, why, suppressed_at);
  }
  return kept;
}
