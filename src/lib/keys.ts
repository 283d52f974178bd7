import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signatures under keys that are derived from one secret, a different key for each purpose. */
export type Keys = {
  sign(purpose: string, text: string): string;
  /** Also true for what was signed before the secret was changed. */
  verify(purpose: string, text: string, signature: string): boolean;
};

export function createKeys(current: string, previous: readonly string[] = []): Keys {
  const derived = new Map<string, Buffer>();

  function keyOf(secret: string, purpose: string): Buffer {
    const name = JSON.stringify([secret, purpose]);
    const known = derived.get(name);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
    derived.set(name, key);
    return key;
  }

  const mac = (secret: string, purpose: string, text: string) =>
    createHmac('sha256', keyOf(secret, purpose)).update(text).digest();

  return {
    sign: (purpose, text) => mac(current, purpose, text).toString('base64url'),
    verify(purpose, text, signature) {
      const given = Buffer.from(signature, 'base64url');
      // Every secret is tried, so that the time taken says nothing about which one fits.
      const fits = [current, ...previous].map(secret => {
        const wanted = mac(secret, purpose, text);
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
      return fits.includes(true);
    },
  };
}
