import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export type HmacSigner = ReturnType<typeof createHmacSigner>;

export function createHmacSigner(current: string, previous: readonly string[] = []) {
  const derived = new Map<string, Buffer>();

  const deriveKey = (secret: string, purpose: string) =>
    derived.getOrInsertComputed(JSON.stringify([secret, purpose]), () =>
      Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)),
    );

  const mac = (secret: string, purpose: string, text: string) =>
    createHmac('sha256', deriveKey(secret, purpose)).update(text).digest();

  return {
    sign: (purpose: string, text: string) => mac(current, purpose, text).toString('base64url'),
    verify(purpose: string, text: string, signature: string): boolean {
      const given = Buffer.from(signature, 'base64url');
      // Every secret is tried, so that timing does not reveal which one matches.
      const matches = [current, ...previous].map(secret => {
        const expected = mac(secret, purpose, text);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return matches.includes(true);
    },
  };
}
