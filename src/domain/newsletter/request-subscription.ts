import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import type { SignUps } from '../../store/sign-ups.ts';
import { parseAddress } from './email-address.ts';
import type { Pseudonyms } from './pseudonym.ts';

export type SignUpDeps = {
  signUps: Pick<SignUps, 'add'>;
  clock: Clock;
  ids: Pick<Ids, 'request'>;
  newsletter: Pick<Pseudonyms, 'subscriberPseudonym' | 'networkPseudonym' | 'resolveConsentText'>;
  wake(): void;
};

export type SignUpInput = { email: string; form: string; consentTextId: string; network?: string };

export type SignUpResult = { kind: 'requested' } | { kind: 'refused' };

/** Does not look the address up, so that timing does not reveal whether it is known. */
export async function requestSubscription(
  deps: SignUpDeps,
  { email, form, consentTextId, network = '' }: SignUpInput,
): Promise<SignUpResult> {
  const parsed = parseAddress(email);
  if (!parsed) return { kind: 'refused' };
  await deps.signUps.add({
    id: deps.ids.request(),
    subscriber: deps.newsletter.subscriberPseudonym(parsed.key),
    address: parsed.address,
    form,
    consent_text: await deps.newsletter.resolveConsentText(form, consentTextId),
    requested_at: deps.clock.now().toISOString(),
    network: form === 'import' ? form : deps.newsletter.networkPseudonym(network),
  });
  deps.wake();
  return { kind: 'requested' };
}
