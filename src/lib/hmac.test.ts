import { expect, test } from 'vitest';
import { createHmacSigner } from './hmac.ts';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];

test('a signature is valid only for its text, purpose and secret, also after a change of secret', () => {
  const hmac = createHmacSigner(first);
  const signature = hmac.sign('leave', 'zoe@example.com');
  expect(hmac.verify('leave', 'zoe@example.com', signature)).toBe(true);
  expect(hmac.verify('confirm', 'zoe@example.com', signature)).toBe(false);
  expect(hmac.verify('leave', 'zoe@example.org', signature)).toBe(false);
  const [next, changed] = [createHmacSigner(second), createHmacSigner(second, [first])];
  expect(next.verify('leave', 'zoe@example.com', signature)).toBe(false);
  expect(changed.verify('leave', 'zoe@example.com', signature)).toBe(true);
  expect(next.verify('leave', 'text', changed.sign('leave', 'text'))).toBe(true);
});
