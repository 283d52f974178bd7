import type { Clock } from '../../core/clock.ts';
import type { Ids } from '../../core/ids.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import type { NewsletterKeys } from './newsletter-keys.ts';
import type { ResolveConsentText } from './resolve-consent-text.ts';
import type { SignUps } from './sign-ups.ts';

export type SignUpDeps = {
  signUps: Pick<SignUps, 'add'>;
  clock: Clock;
  ids: Pick<Ids, 'uuid'>;
  newsletterKeys: Pick<NewsletterKeys, 'subscriberPseudonym' | 'networkPseudonym'>;
  resolveConsentText: ResolveConsentText;
  wake(): void;
};

export type SignUpInput = { email: string; form: string; consentTextId: string; network?: string };

export type SignUpResult = { kind: 'requested' } | { kind: 'invalid address' };

/** Does not look the address up, so that timing does not reveal whether it is known. */
export async function requestSubscription(
  deps: SignUpDeps,
  { email, form, consentTextId, network = '' }: SignUpInput,
): Promise<SignUpResult> {
  const parsed = parseDeliverableAddress(email);
  if (!parsed) return { kind: 'invalid address' };
  await deps.signUps.add({
    id: deps.ids.uuid(),
    subscriber: deps.newsletterKeys.subscriberPseudonym(parsed.lowerCaseAddress),
    address: parsed.address,
    form,
    consent_text: await deps.resolveConsentText(form, consentTextId),
    requested_at: deps.clock.now().toISOString(),
    network: form === 'import' ? form : deps.newsletterKeys.networkPseudonym(network),
  });
  deps.wake();
  return { kind: 'requested' };
}
