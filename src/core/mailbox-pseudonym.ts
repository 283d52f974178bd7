import { canonicalizeMailbox } from '../lib/email-address.ts';
import type { HmacSigner } from './hmac.ts';

/** Counts the mails to one mailbox, however its address is written. */
export function createMailboxPseudonym(hmac: HmacSigner, address: string): string {
  return hmac.sign('mailbox', canonicalizeMailbox(address));
}
