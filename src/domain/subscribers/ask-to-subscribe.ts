import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import { parseAddress } from './address.ts';
import type { Naming } from './naming.ts';

export type AskDeps = {
  subscribers: Pick<Subscribers, 'ask'>;
  clock: Clock;
  ids: Pick<Ids, 'request'>;
  newsletter: Pick<Naming, 'nameSubscriber' | 'networkPseudonym' | 'resolveWording'>;
  /** Told that a request waits to be looked at. */
  nudge(): void;
};

/** `network`: the widest one that the visitor belongs to, where it is known. */
export type AskInput = { email: string; form: string; wording: string; network?: string };

export type AskResult = { kind: 'asked' } | { kind: 'refused' };

/**
 * Keeps a request for the newsletter. Whether the address is known is not looked at here: the work, and so the time it
 * takes, is the same for every address that mail could reach.
 */
export async function askToSubscribe(
  deps: AskDeps,
  { email, form, wording, network = '' }: AskInput,
): Promise<AskResult> {
  const parsed = parseAddress(email);
  if (!parsed) return { kind: 'refused' };
  await deps.subscribers.ask({
    id: deps.ids.request(),
    subscriber: deps.newsletter.nameSubscriber(parsed.key),
    address: parsed.address,
    form,
    wording: await deps.newsletter.resolveWording(form, wording),
    asked_at: deps.clock.now().toISOString(),
    network: deps.newsletter.networkPseudonym(network),
  });
  deps.nudge();
  return { kind: 'asked' };
}
