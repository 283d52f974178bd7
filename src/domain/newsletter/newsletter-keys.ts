import type { HmacSigner } from '../../lib/hmac.ts';
import { normalizeMailbox } from './email-address.ts';

export type NewsletterKeys = ReturnType<typeof createNewsletterKeys>;

/** `hmac` has the newsletter's own secret: ids and unsubscribe links must outlive a change of the site's secret. */
export function createNewsletterKeys(hmac: HmacSigner) {
  return {
    subscriberPseudonym: (normalizedAddress: string) => hmac.sign('subscriber', normalizedAddress),
    mailboxPseudonym: (address: string) => hmac.sign('mailbox', normalizeMailbox(address)),
    networkPseudonym(network: string): string {
      if (!network) return 'unknown';
      return `${network.includes(':') ? 'ipv6' : 'ipv4'}:${hmac.sign('network', network)}`;
    },
    /** Unsubscribe links never expire. */
    unsubscribeKey: (id: string) => hmac.sign('leave', id),
    isUnsubscribeKey: (id: string, key: string) => hmac.verify('leave', id, key),
  };
}
