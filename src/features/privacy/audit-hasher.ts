import type { HmacSigner } from '../../core/hmac.ts';
import { foldAddress } from '../../lib/email-address.ts';

export type AuditHasher = ReturnType<typeof createAuditHasher>;

export function createAuditHasher(hmac: HmacSigner) {
  return {
    hashAddress: (address: string) => hmac.sign('erased address', foldAddress(address)),
    hashReference: (reference: string) => hmac.sign('erased message', reference),
  };
}

/** Some visitors type their address into the name field only. */
export function getSenderAddress({ name, email }: { name: string; email: string }): string {
  return email.trim() ? email : name;
}
