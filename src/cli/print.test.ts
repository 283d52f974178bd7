import { expect, test } from 'vitest';
import { tableNames } from '../store/tables.ts';
import { describeCounts } from './print.ts';

test('counts are described in words, without zeros and unknown names', () => {
  const counts = { messages: 1, mentions: 0, deliveries: 1204, redacted: 2, other: 3 };
  expect(describeCounts(counts)).toBe('1 message, 1,204 deliveries and 2 redacted rows');
  expect(describeCounts({ messages: 0 })).toBe('');
});

/** `restore` and `copy-database` take a database for empty if nothing is described. */
test.each(['messages', 'deliveries', 'subscribers', 'sign_ups', 'newsletter_issues'])(
  'rows of the table %s are described',
  name => {
    expect(tableNames).toContain(name);
    expect(describeCounts({ [name]: 1 })).toMatch(/^1 /);
  },
);
