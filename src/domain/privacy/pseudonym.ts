import { domainToASCII } from 'node:url';
import type { KeyedHash } from '../../lib/keyed-hash.ts';

export type AuditPseudonyms = ReturnType<typeof createAuditPseudonyms>;

export function createAuditPseudonyms(keys: KeyedHash) {
  return {
    hashAddress: (address: string) => keys.sign('erased address', addressKey(address)),
    hashReference: (reference: string) => keys.sign('erased message', reference),
  };
}

/** For comparing only. Visitors may type addresses that mail cannot be sent to, so nothing is refused. */
export function addressKey(address: string): string {
  const whole = address.trim().normalize('NFC').toLowerCase();
  const at = whole.lastIndexOf('@');
  if (at < 1) return whole;
  const host = whole.slice(at + 1).replace(/\.$/, '');
  return `${whole.slice(0, at)}@${domainToASCII(host) || host}`;
}

/** Some visitors type their address into the name field only. */
export function getSenderAddress({ name, email }: { name: string; email: string }): string {
  return email.trim() ? email : name;
}
