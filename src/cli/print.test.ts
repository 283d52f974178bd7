import { expect, test } from 'vitest';
import { describeCounts } from './print.ts';

test('counts are described in words, without zeros and unknown names', () => {
  const counts = { messages: 1, mentions: 0, deliveries: 1204, redacted: 2, other: 3 };
  expect(describeCounts(counts)).toBe('1 message, 1,204 deliveries and 2 redacted rows');
  expect(describeCounts({ messages: 0 })).toBe('');
});
