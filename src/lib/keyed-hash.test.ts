import { expect, test } from 'vitest';
import { createKeyedHash } from './keyed-hash.ts';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];

test('a signature is valid only for its text, purpose and secret', () => {
  const keyedHash = createKeyedHash(first);
  const signature = keyedHash.sign('leave', 'zoe@example.com');
  expect(keyedHash.verify('leave', 'zoe@example.com', signature)).toBe(true);
  expect(keyedHash.verify('confirm', 'zoe@example.com', signature)).toBe(false);
  expect(keyedHash.verify('leave', 'zoe@example.org', signature)).toBe(false);
  expect(createKeyedHash(second).verify('leave', 'zoe@example.com', signature)).toBe(false);
});

test('after a change of secret, old signatures stay valid and new ones use the new secret', () => {
  const old = createKeyedHash(first).sign('leave', 'text');
  const keyedHash = createKeyedHash(second, [first]);
  expect(keyedHash.verify('leave', 'text', old)).toBe(true);
  expect(keyedHash.sign('leave', 'text')).toBe(createKeyedHash(second).sign('leave', 'text'));
  expect(keyedHash.sign('leave', 'text')).not.toBe(old);
});
