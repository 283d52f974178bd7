import { expect, test } from 'vitest';
import { createHmacSigner } from './hmac.ts';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];

test('a signature is valid only for its text, purpose and secret', () => {
  const hmac = createHmacSigner(first);
  const signature = hmac.sign('leave', 'zoe@example.com');
  expect(hmac.verify('leave', 'zoe@example.com', signature)).toBe(true);
  expect(hmac.verify('confirm', 'zoe@example.com', signature)).toBe(false);
  expect(hmac.verify('leave', 'zoe@example.org', signature)).toBe(false);
  expect(createHmacSigner(second).verify('leave', 'zoe@example.com', signature)).toBe(false);
});

test('after a change of secret, old signatures stay valid and new ones use the new secret', () => {
  const old = createHmacSigner(first).sign('leave', 'text');
  const hmac = createHmacSigner(second, [first]);
  expect(hmac.verify('leave', 'text', old)).toBe(true);
  expect(hmac.sign('leave', 'text')).toBe(createHmacSigner(second).sign('leave', 'text'));
  expect(hmac.sign('leave', 'text')).not.toBe(old);
});
