import { createHash, randomBytes, randomUUID } from 'node:crypto';

export type Ids = {
  request(): string;
  /** 50 random bits without I, L, O or U, so that it can be read out on the phone. */
  reference(): string;
  /** 256 random bits. Only its hash is stored. */
  token(): string;
};

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const randomIds: Ids = {
  request: () => randomUUID(),
  reference() {
    const letters = Array.from(randomBytes(10), byte => alphabet[byte & 31]).join('');
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  },
  token: () => randomBytes(32).toString('base64url'),
};

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
