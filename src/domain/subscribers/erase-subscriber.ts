import type { Clock } from '../../lib/clock.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import { parseAddress } from './address.ts';
import type { Naming } from './naming.ts';

type EraseDeps = {
  subscribers: Pick<Subscribers, 'erase'>;
  clock: Clock;
  newsletter: Pick<Naming, 'nameSubscriber'>;
};

export type EraseResult = { kind: 'impossible' | 'unknown' | 'erased' };

/** Forgets an address. What stays is a keyed hash, so that no import brings it back. */
export async function eraseSubscriber(
  { subscribers, clock, newsletter }: EraseDeps,
  address: string,
): Promise<EraseResult> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'impossible' };
  const isKnown = await subscribers.erase(newsletter.nameSubscriber(parsed.key), clock.now().toISOString());
  return { kind: isKnown ? 'erased' : 'unknown' };
}
