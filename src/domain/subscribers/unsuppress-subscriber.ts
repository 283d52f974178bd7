import type { Clock } from '../../lib/clock.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { SubscriberState } from '../../store/tables.ts';
import { parseAddress } from './address.ts';
import type { Naming } from './naming.ts';

type UnsuppressDeps = {
  subscribers: Pick<Subscribers, 'unsuppress'>;
  clock: Clock;
  newsletter: Pick<Naming, 'nameSubscriber'>;
};

export type UnsuppressResult =
  | { kind: 'impossible' }
  | { kind: 'not suppressed' }
  | { kind: 'lifted'; state: SubscriberState | 'forgotten' };

/** Lifts a suppression by hand. It gives back no more consent than there was. */
export async function unsuppressSubscriber(
  { subscribers, clock, newsletter }: UnsuppressDeps,
  address: string,
): Promise<UnsuppressResult> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'impossible' };
  const state = await subscribers.unsuppress(
    newsletter.nameSubscriber(parsed.key),
    clock.now().toISOString(),
  );
  return state ? { kind: 'lifted', state } : { kind: 'not suppressed' };
}
