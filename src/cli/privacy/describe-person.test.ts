import { expect, test } from 'vitest';
import { describeCounts } from './describe-person.ts';

test('what was erased is told in words', () => {
  const counts = { messages: 1, mentions: 0, newsletter: 1, rows: 2, redacted: 2, mails: 1, remains: 2 };
  expect(describeCounts(counts)).toBe(
    '1 message, the newsletter, 2 rows, 2 rows of others, 1 mail, 2 remnants',
  );
  expect(describeCounts({ messages: 0 })).toBe('nothing');
});
