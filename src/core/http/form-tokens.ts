import type { Clock } from '../clock.ts';
import type { HmacSigner } from '../hmac.ts';

export type FormTokens = ReturnType<typeof createFormTokens>;

const purpose = 'form-token';
const validForMs = 24 * 60 * 60 * 1000;

export function createFormTokens({ hmac, clock }: { hmac: HmacSigner; clock: Clock }) {
  return {
    create(): string {
      const issuedAt = clock.now().getTime().toString(36);
      return `${issuedAt}.${hmac.sign(purpose, issuedAt)}`;
    },
    /** Undefined for a foreign or expired token, and for one from the future (clock skew). */
    getAgeMs(token: string): number | undefined {
      const [, issuedAt, signature] = /^([\da-z]{1,11})\.([\w-]{43})$/.exec(token) ?? [];
      if (!issuedAt || !signature || !hmac.verify(purpose, issuedAt, signature)) return undefined;
      const ms = clock.now().getTime() - Number.parseInt(issuedAt, 36);
      return ms >= 0 && ms <= validForMs ? ms : undefined;
    },
  };
}
