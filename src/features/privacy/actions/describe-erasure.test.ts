import { expect, test } from 'vitest';
import type { Lease } from '../privacy.ts';
import { listProblems } from './describe-erasure.ts';

test('an erasure can be repeated, and the deletion of messages, which are gone then, cannot', () => {
  const activeLeases = [{ reference: 'AAAAA-AAAAA', receiver: 'mail' }] as Lease[];
  const remains = { activeLeases, cleanup: { kind: 'sqlite', isClean: false } } as const;
  const suggestsRepeating = (problems: string[]) => problems.map(text => /repeat/i.test(text));
  expect(suggestsRepeating(listProblems(remains))).toEqual([true, true]);
  expect(suggestsRepeating(listProblems(remains, { isRepeatable: false }))).toEqual([false, false]);
});
