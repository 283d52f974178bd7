import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export type Keys = {
  sign(purpose: string, text: string): string;
  /** Also true for signatures made with a previous secret. */
  verify(purpose: string, text: string, signature: string): boolean;
};

export function createKeys(current: string, previous: readonly string[] = []): Keys {
  const derived = new Map<string, Buffer>();

  const keyOf = (secret: string, purpose: string) =>
    derived.getOrInsertComputed(JSON.stringify([secret, purpose]), () =>
      Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)),
    );

  const mac = (secret: string, purpose: string, text: string) =>
    createHmac('sha256', keyOf(secret, purpose)).update(text).digest();

  return {
    sign: (purpose, text) => mac(current, purpose, text).toString('base64url'),
    verify(purpose, text, signature) {
      const given = Buffer.from(signature, 'base64url');
      // Every secret is tried, so that timing does not reveal which one fits.
      const fits = [current, ...previous].map(secret => {
        const wanted = mac(secret, purpose, text);
        return given.length === wanted.length && timingSafeEqual(given, wanted);
      });
      return fits.includes(true);
    },
  };
}
