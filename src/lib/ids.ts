import { createHash, randomBytes, randomUUID } from 'node:crypto';

export type Ids = {
  /** Names one request in the log. */
  request(): string;
  /** Short enough to read out on the phone: no I, L, O or U, 50 random bits. */
  reference(): string;
  /** 256 random bits, for whoever must prove that they were given it. Only its hash is ever kept. */
  token(): string;
};

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const randomIds: Ids = {
  request: () => randomUUID(),
  reference() {
    const bytes = takeRandom(10);
    let reference = '';
    for (const [index, byte] of bytes.entries()) reference += (index === 5 ? '-' : '') + alphabet[byte & 31];
    return reference;
  },
  token: () => randomBytes(32).toString('base64url'),
};

/** What is kept of a token. It holds enough chance that nobody can guess it back. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

let pool = Buffer.alloc(0);

/** Asking the system for a few bytes costs as much as asking for many. None is used twice. */
function takeRandom(count: number): Buffer {
  if (pool.length < count) pool = randomBytes(4096);
  const taken = pool.subarray(0, count);
  pool = pool.subarray(count);
  return taken;
}
