import { domainToASCII } from 'node:url';
import type { Keys } from '../../lib/keys.ts';

/** What stands for somebody, or for a message, where neither may be named any more. */
export type AuditNaming = {
  ofAddress(address: string): string;
  ofMessage(reference: string): string;
};

export function createAuditNaming(keys: Keys): AuditNaming {
  return {
    ofAddress: address => keys.sign('erased address', addressKey(address)),
    ofMessage: reference => keys.sign('erased message', reference),
  };
}

/**
 * For comparing alone: two spellings of one address have the same. Visitors may type what mail cannot be sent to, so
 * nothing is refused here.
 */
export function addressKey(address: string): string {
  const whole = address.trim().normalize('NFC').toLowerCase();
  const at = whole.lastIndexOf('@');
  if (at < 1) return whole;
  const host = whole.slice(at + 1).replace(/\.$/, '');
  return `${whole.slice(0, at)}@${domainToASCII(host) || host}`;
}

/** Who wrote a message, by its address. Some put it into the field for their name, and none into its own. */
export function writerOf({ name, email }: { name: string; email: string }): string {
  return email.trim() ? email : name;
}

/** Everything in a text that could be an address, as it stands there: one at most between two signs that no address has. */
export function findAddresses(text: string): string[] {
  return text.split(/[\s<>()[\]\\,;:"“”‘’|]+/u).flatMap(addressIn);
}

/** Up to the last @ that something stands behind; a full stop or a star at the end is the sentence's. */
function addressIn(word: string): string[] {
  let end = word.length;
  for (let at = word.lastIndexOf('@'); at > 0; at = word.lastIndexOf('@', at - 1)) {
    while (end > at + 1 && ".!?'/*_".includes(word[end - 1] as string)) end -= 1;
    if (end > at + 1) return [word.slice(0, end)];
    end = at;
  }
  return [];
}
