import { domainToASCII } from 'node:url';
import type { HmacSigner } from '../../lib/hmac.ts';

export type AuditHasher = ReturnType<typeof createAuditHasher>;

export function createAuditHasher(hmac: HmacSigner) {
  return {
    hashAddress: (address: string) => hmac.sign('erased address', normalizeAddress(address)),
    hashReference: (reference: string) => hmac.sign('erased message', reference),
  };
}

/** For comparing only. Visitors may type addresses that mail cannot be sent to, so nothing is refused. */
export function normalizeAddress(address: string): string {
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
