import { createHash, randomBytes, randomUUID } from 'node:crypto';

export type Ids = typeof randomIds;

/** Without I, L, O and U, so that a reference can be read out on the phone. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const randomIds = {
  uuid: (): string => randomUUID(),
  reference(): string {
    const letters = Array.from(randomBytes(10), byte => alphabet[byte & 31]).join('');
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  },
  token: () => randomBytes(32).toString('base64url'),
  /** 128 bits for a path, in a form that `redactPath` recognises. */
  pathToken: () => randomBytes(16).toString('hex'),
};

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
