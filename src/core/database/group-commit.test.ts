import { expect, test, vi } from 'vitest';
import { BusyError } from '../../lib/busy-error.ts';
import { createGroupCommit } from './group-commit.ts';

const limits = {
  maxGroupSize: 100,
  maxWaiting: 1000,
  maxWaitMs: 4000,
  isFatalDatabaseError: (error: unknown) => error === gone,
};
const gone = new Error('the database is gone');
const poison = new Error('cannot be stored');

/** Commits by hand: each group waits until the test lets it through, or fails it. */
function setUp(about: Partial<typeof limits> = {}) {
  const groups: string[] = [];
  let current: PromiseWithResolvers<string[]>;
  const { add, hasCapacity } = createGroupCommit<string, string>(
    items => {
      groups.push(items.join(''));
      current = Promise.withResolvers();
      return current.promise;
    },
    { ...limits, ...about },
  );
  /** Ends the current group. Returns all that were begun, once everything that can go on has gone on. */
  async function end(error?: Error): Promise<string[]> {
    if (error) current.reject(error);
    else current.resolve([...(groups.at(-1) ?? '')].map(item => `${item}!`));
    await new Promise(done => setImmediate(done));
    return groups;
  }
  return { add, hasCapacity, groups, end };
}

test('groups everything that arrives during a commit, and resolves each item with its own result', async () => {
  const { add, groups, end } = setUp();
  const answered: string[] = [];
  const answers = Promise.all(['a', 'b', 'c', 'd'].map(item => add(item).finally(() => answered.push(item))));
  await new Promise(done => setImmediate(done));
  // Nothing is resolved before its commit.
  expect([groups, answered]).toEqual([['a'], []]);
  expect(await end()).toEqual(['a', 'bcd']);
  expect(answered).toEqual(['a']);
  await end();
  expect(await answers).toEqual(['a!', 'b!', 'c!', 'd!']);
  const later = add('e');
  expect(await end()).toEqual(['a', 'bcd', 'e']);
  expect(await later).toBe('e!');
});

test('tries a failed group one by one, so that one item fails alone', async () => {
  const { add, end } = setUp();
  const answers = Promise.allSettled(['a', 'b', 'c', 'd'].map(add));
  await end();
  expect(await end(poison)).toEqual(['a', 'bcd', 'b']);
  await end();
  await end(poison);
  expect(await end()).toEqual(['a', 'bcd', 'b', 'c', 'd']);
  const [ok, failed] = ['fulfilled', 'rejected'];
  expect((await answers).map(({ status }) => status)).toEqual([ok, ok, failed, ok]);
});

test('skips that after a fatal database error, also during it, and continues with the next group', async () => {
  const { add, end } = setUp();
  const answers = Promise.allSettled(['a', 'b', 'c', 'd'].map(add));
  await end(gone);
  await end(poison);
  expect(await end(gone)).toEqual(['a', 'bcd', 'b']);
  expect(await answers).toEqual(Array(4).fill({ status: 'rejected', reason: gone }));
  const later = add('e');
  await end();
  expect(await later).toBe('e!');
});

test('rejects items while the queue is full, and accepts again once it has drained', async () => {
  const { add, hasCapacity, end } = setUp({ maxWaiting: 2 });
  const accepted = ['a', 'b', 'c'].map(add);
  expect(hasCapacity()).toBe(false);
  await expect(add('d')).rejects.toThrow(BusyError);
  await end();
  accepted.push(add('e'));
  await end();
  await end();
  expect(await Promise.all(accepted)).toEqual(['a!', 'b!', 'c!', 'e!']);
});

test('rejects at once what would wait too long, and accepts again when the database is faster', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { add, hasCapacity, end } = setUp({ maxGroupSize: 1, maxWaitMs: 100 });
  const accepted = [add('a')];
  now += 60;
  // Only the commit in progress is ahead of this item, and it may end at any moment.
  accepted.push(add('b'));
  expect(hasCapacity()).toBe(false);
  await expect(add('c')).rejects.toThrow(BusyError);
  await end();
  now += 1;
  await end();
  accepted.push(add('d'), add('e'), add('f'));
  for (const _ of ['d', 'e', 'f']) await end();
  expect(await Promise.all(accepted)).toEqual(['a!', 'b!', 'd!', 'e!', 'f!']);
  clock.mockRestore();
});
