import { expect, test } from 'vitest';
import { createKeys } from './keyed-hash.ts';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];

test('a signature fits its text, its purpose and its secret alone', () => {
  const keys = createKeys(first);
  const signature = keys.sign('leave', 'zoe@example.com');
  expect(keys.verify('leave', 'zoe@example.com', signature)).toBe(true);
  expect(keys.verify('confirm', 'zoe@example.com', signature)).toBe(false);
  expect(keys.verify('leave', 'zoe@example.org', signature)).toBe(false);
  expect(createKeys(second).verify('leave', 'zoe@example.com', signature)).toBe(false);
});

test('what was signed before a change of secret is still good, and nothing new is signed the old way', () => {
  const old = createKeys(first).sign('leave', 'text');
  const keys = createKeys(second, [first]);
  expect(keys.verify('leave', 'text', old)).toBe(true);
  expect(keys.sign('leave', 'text')).toBe(createKeys(second).sign('leave', 'text'));
  expect(keys.sign('leave', 'text')).not.toBe(old);
});

test.each(['', 'A', 'not base64 at all!', 'A'.repeat(10_000)])('%j is no signature', signature =>
  expect(createKeys(first).verify('leave', 'text', signature)).toBe(false),
);
