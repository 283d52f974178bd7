import { canonicalizeMailbox } from '../lib/email-address.ts';
import type { HmacSigner } from './hmac.ts';

/** A mailbox gets one mail of a kind in this time, whoever entered its address. */
export const mailboxWindowMs = 24 * 60 * 60 * 1000;

/** Counts the mails to one mailbox, however its address is written. */
export function createMailboxPseudonym(hmac: HmacSigner, address: string): string {
  return hmac.sign('mailbox', canonicalizeMailbox(address));
}
