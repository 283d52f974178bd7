import { expect, test } from 'vitest';
import { createHmacSigner } from '../hmac.ts';
import { createFormTokens } from './form-tokens.ts';

const day = 24 * 60 * 60 * 1000;
const start = Date.UTC(2026, 0, 2);
let now = start;
const clock = { now: () => new Date(now) };
const hmac = createHmacSigner('a'.repeat(32));
const tokens = createFormTokens({ hmac, clock });

test('a token contains its age, for a day; with another signature or none it has no age', () => {
  const token = tokens.create();
  now = start + day;
  expect(tokens.getAgeMs(token)).toBe(day);
  now += 1;
  expect(tokens.getAgeMs(token)).toBeUndefined();
  now = start;
  const [issuedAt = '', signature = ''] = token.split('.');
  const forged = [
    issuedAt,
    `${issuedAt}.${'A'.repeat(43)}`,
    `${(start - day).toString(36)}.${signature}`,
    `${issuedAt}.${hmac.sign('form', issuedAt)}`,
    `${issuedAt}.${createHmacSigner('c'.repeat(32)).sign('form-token', issuedAt)}`,
    `${token} `,
    'z'.repeat(100_000),
  ];
  for (const one of forged) expect(tokens.getAgeMs(one), one).toBeUndefined();
});
