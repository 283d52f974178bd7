import type { Clock } from '../../lib/clock.ts';
import type { KeyedHash } from '../../lib/keyed-hash.ts';
import type { Wordings as StoredWordings } from '../../store/consent-texts.ts';
import { mailboxOf } from './email-address.ts';

export type Naming = {
  /** Can be repeated only with the newsletter's own secret. */
  nameSubscriber(key: string): string;
  mailboxPseudonym(address: string): string;
  networkPseudonym(network: string): string;
  /** Proves that an unsubscribe link is ours. It never expires. */
  leaveKey(id: string): string;
  isLeaveKey(id: string, key: string): boolean;
  /** The consent text that the form named, if it ever existed, or the current one. */
  resolveWording(form: string, given: string): Promise<string>;
};

export type Wordings = { newsletter: { id: string; text: string } } & Record<
  string,
  { id: string; text: string }
>;

type NamingDeps = {
  /** Of the newsletter alone: ids and leave links must outlive every change of the site's secret. */
  keys: KeyedHash;
  /** Looked up at first need. */
  wordings: { readonly current: Wordings };
  stored: StoredWordings;
  clock: Clock;
};

export function nameSubscriber(keys: KeyedHash, key: string): string {
  return keys.sign('subscriber', key);
}

export function createNaming({ keys, wordings, stored, clock }: NamingDeps): Naming {
  let kept: Promise<Set<string>> | undefined;

  /** Once per process, before the first reference to one of them; retried after a failure. */
  function keepCurrent(): Promise<Set<string>> {
    kept ??= keepAll().catch(error => {
      kept = undefined;
      throw error;
    });
    return kept;
  }

  async function keepAll(): Promise<Set<string>> {
    const first_used_at = clock.now().toISOString();
    // Two forms may have the same text.
    const texts = new Map(Object.values(wordings.current).map(({ id, text }) => [id, text]));
    await stored.keepWordings([...texts].map(([id, text]) => ({ id, text, first_used_at })));
    return new Set(texts.keys());
  }

  function currentOf(form: string): string {
    const { current } = wordings;
    return (Object.hasOwn(current, form) ? current[form] : undefined)?.id ?? current.newsletter.id;
  }

  return {
    nameSubscriber: key => nameSubscriber(keys, key),
    mailboxPseudonym: address => keys.sign('mailbox', mailboxOf(address)),
    networkPseudonym(network) {
      if (!network) return 'unknown';
      return `${network.includes(':') ? 'ipv6' : 'ipv4'}:${keys.sign('network', network)}`;
    },
    leaveKey: id => keys.sign('leave', id),
    isLeaveKey: (id, key) => keys.verify('leave', id, key),
    async resolveWording(form, given) {
      if ((await keepCurrent()).has(given)) return given;
      // The page was cached, or open while the text changed.
      const isKept = /^[\w-]{1,64}$/.test(given) && (await stored.getWording(given));
      return isKept ? given : currentOf(form);
    },
  };
}
