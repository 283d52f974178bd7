import type { Clock } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import { mailboxOf } from './address.ts';

/** What stands for an address, for the right to leave, and for the words that were agreed to. */
export type Naming = {
  /** The id of whoever has the address with this key. It can be made again only with the newsletter's own secret. */
  nameSubscriber(key: string): string;
  /** Stands for the mailbox of an address, and for a network: a keyed hash of either. */
  mailboxPseudonym(address: string): string;
  networkPseudonym(network: string): string;
  /** What proves in a leave link that it was made for this subscriber. It never expires. */
  leaveKey(id: string): string;
  isLeaveKey(id: string, key: string): boolean;
  /** The id of the words that stood under the form: those that were named, if there ever were such, or today's. */
  resolveWording(form: string, given: string): Promise<string>;
};

/** The words under each form, as they are now. */
export type Wordings = { newsletter: { id: string; text: string } } & Record<
  string,
  { id: string; text: string }
>;

type NamingDeps = {
  /** Of the newsletter alone: ids and leave links must outlive every change of the site's secret. */
  keys: Keys;
  /** Looked up at first need. */
  wordings: { readonly current: Wordings };
  subscribers: Pick<Subscribers, 'keepWordings' | 'getWording'>;
  clock: Clock;
};

export function nameSubscriber(keys: Keys, key: string): string {
  return keys.sign('subscriber', key);
}

export function createNaming({ keys, wordings, subscribers, clock }: NamingDeps): Naming {
  let kept: Promise<Set<string>> | undefined;

  /** Once in a process, before the first of them is referred to; after a failure, once more. The ids of all of them. */
  function keepCurrent(): Promise<Set<string>> {
    kept ??= keepAll().catch(error => {
      kept = undefined;
      throw error;
    });
    return kept;
  }

  async function keepAll(): Promise<Set<string>> {
    const first_used_at = clock.now().toISOString();
    // Two forms may have the same words.
    const texts = new Map(Object.values(wordings.current).map(({ id, text }) => [id, text]));
    await subscribers.keepWordings([...texts].map(([id, text]) => ({ id, text, first_used_at })));
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
      // A page that was open while the words changed, or a cached one.
      const isKept = /^[\w-]{1,64}$/.test(given) && (await subscribers.getWording(given));
      return isKept ? given : currentOf(form);
    },
  };
}
