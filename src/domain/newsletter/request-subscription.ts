import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import type { SignUps } from '../../store/sign-ups.ts';
import { parseAddress } from './email-address.ts';
import type { Naming } from './pseudonym.ts';

export type AskDeps = {
  signUps: Pick<SignUps, 'ask'>;
  clock: Clock;
  ids: Pick<Ids, 'request'>;
  newsletter: Pick<Naming, 'nameSubscriber' | 'networkPseudonym' | 'resolveWording'>;
  nudge(): void;
};

/** `form` is 'import' for the owner's list. `network` is the visitor's widest one. */
export type AskInput = { email: string; form: string; wording: string; network?: string };

export type AskResult = { kind: 'asked' } | { kind: 'refused' };

/** Does not look the address up, so that timing does not reveal whether it is known. */
export async function askToSubscribe(
  deps: AskDeps,
  { email, form, wording, network = '' }: AskInput,
): Promise<AskResult> {
  const parsed = parseAddress(email);
  if (!parsed) return { kind: 'refused' };
  await deps.signUps.ask({
    id: deps.ids.request(),
    subscriber: deps.newsletter.nameSubscriber(parsed.key),
    address: parsed.address,
    form,
    wording: await deps.newsletter.resolveWording(form, wording),
    asked_at: deps.clock.now().toISOString(),
    // An import takes its turns as one network, beside those of visitors.
    network: form === 'import' ? form : deps.newsletter.networkPseudonym(network),
  });
  deps.nudge();
  return { kind: 'asked' };
}
