import type { HmacSigner } from '../../core/hmac.ts';
import { createMailboxPseudonym } from '../../core/mailbox-pseudonym.ts';

export type NewsletterKeys = ReturnType<typeof createNewsletterKeys>;

/** `hmac` has the newsletter's own secret: ids and unsubscribe links must outlive a change of the site's secret. */
export function createNewsletterKeys(hmac: HmacSigner) {
  return {
    subscriberPseudonym: (lowerCaseAddress: string) => hmac.sign('subscriber', lowerCaseAddress),
    mailboxPseudonym: (address: string) => createMailboxPseudonym(hmac, address),
    networkPseudonym(network: string): string {
      if (!network) return 'unknown';
      return `${network.includes(':') ? 'ipv6' : 'ipv4'}:${hmac.sign('network', network)}`;
    },
    /** Unsubscribe links never expire. */
    unsubscribeKey: (id: string) => hmac.sign('leave', id),
    isUnsubscribeKey: (id: string, key: string) => hmac.verify('leave', id, key),
  };
}
