import type { Clock } from '../../lib/clock.ts';
import type { KeyedHash } from '../../lib/keyed-hash.ts';
import type { ConsentTexts } from '../../store/consent-texts.ts';
import { normalizeMailbox } from './email-address.ts';

export type Pseudonyms = ReturnType<typeof createPseudonyms>;

export type CurrentConsentTexts = { newsletter: { id: string; text: string } } & Record<
  string,
  { id: string; text: string }
>;

type PseudonymDeps = {
  /** The newsletter's own keys: ids and unsubscribe links must outlive a change of the site's secret. */
  keys: KeyedHash;
  consentTexts: { readonly current: CurrentConsentTexts };
  stored: ConsentTexts;
  clock: Clock;
};

export function createSubscriberPseudonym(keys: KeyedHash, key: string): string {
  return keys.sign('subscriber', key);
}

export function createPseudonyms({ keys, consentTexts, stored, clock }: PseudonymDeps) {
  let storing: Promise<Set<string>> | undefined;

  function storeCurrent(): Promise<Set<string>> {
    storing ??= storeTexts().catch(error => {
      storing = undefined;
      throw error;
    });
    return storing;
  }

  async function storeTexts(): Promise<Set<string>> {
    const first_used_at = clock.now().toISOString();
    const texts = new Map(Object.values(consentTexts.current).map(({ id, text }) => [id, text]));
    await stored.saveNew([...texts].map(([id, text]) => ({ id, text, first_used_at })));
    return new Set(texts.keys());
  }

  function getCurrentId(form: string): string {
    const { current } = consentTexts;
    return (Object.hasOwn(current, form) ? current[form] : undefined)?.id ?? current.newsletter.id;
  }

  return {
    subscriberPseudonym: (key: string) => createSubscriberPseudonym(keys, key),
    mailboxPseudonym: (address: string) => keys.sign('mailbox', normalizeMailbox(address)),
    networkPseudonym(network: string): string {
      if (!network) return 'unknown';
      return `${network.includes(':') ? 'ipv6' : 'ipv4'}:${keys.sign('network', network)}`;
    },
    /** Unsubscribe links never expire. */
    unsubscribeKey: (id: string) => keys.sign('leave', id),
    isUnsubscribeKey: (id: string, key: string) => keys.verify('leave', id, key),
    async resolveConsentText(form: string, given: string): Promise<string> {
      if ((await storeCurrent()).has(given)) return given;
      // The page was cached, or open while the text changed.
      const isStored = /^[\w-]{1,64}$/.test(given) && (await stored.get(given));
      return isStored ? given : getCurrentId(form);
    },
  };
}
