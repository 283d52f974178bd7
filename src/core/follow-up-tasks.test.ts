import { expect, test } from 'vitest';
import { listProblems } from './follow-up-tasks.ts';
import type { Lease } from './outbox/leases.ts';

test('an erasure can be repeated, and the deletion of messages, which are gone then, cannot', () => {
  const activeLeases = [{ reference: 'AAAAA-AAAAA', receiver: 'mail' }] as Lease[];
  const remains = { activeLeases, cleanup: { kind: 'sqlite', isClean: false } } as const;
  const suggestsRepeating = (problems: string[]) => problems.map(text => /repeat/i.test(text));
  expect(suggestsRepeating(listProblems(remains))).toEqual([true, true]);
  expect(suggestsRepeating(listProblems(remains, { isRepeatable: false }))).toEqual([false, false]);
});
