import { randomBytes, randomUUID } from 'node:crypto';

export type Ids = {
  /** Names one request in the log. */
  request(): string;
  /** Short enough to read out on the phone: no I, L, O or U, 50 random bits. */
  reference(): string;
};

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const randomIds: Ids = {
  request: () => randomUUID(),
  reference() {
    const letters = Array.from(randomBytes(10), byte => alphabet[byte & 31]);
    return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`;
  },
};
