import { describe, expect, test, vi } from 'vitest';
import { BusyError } from '../lib/busy-error.ts';
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
  const groups: { items: string[]; pass(): void; fail(error: Error): void }[] = [];
  const { add, hasCapacity } = createGroupCommit<string, string>(
    items => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      groups.push({ items, pass: () => resolve(items.map(item => `${item}!`)), fail: reject });
      return promise;
    },
    { ...limits, ...about },
  );
  /** The groups that were begun, as they stand once everything that can go on has gone on. */
  async function begun(): Promise<string[]> {
    await new Promise(done => setImmediate(done));
    return groups.map(({ items }) => items.join(''));
  }
  return { add, hasCapacity, begun, group: (index: number) => groups[index] as (typeof groups)[number] };
}

describe('group commit', () => {
  test('groups everything that arrives during a commit, and resolves each item with its own result', async () => {
    const { add, begun, group } = setUp();
    const answered: string[] = [];
    const answers = Promise.all(
      ['a', 'b', 'c', 'd'].map(item => add(item).finally(() => answered.push(item))),
    );
    expect(await begun()).toEqual(['a']);
    // Nothing is resolved before its commit.
    expect(answered).toEqual([]);
    group(0).pass();
    expect(await begun()).toEqual(['a', 'bcd']);
    expect(answered).toEqual(['a']);
    group(1).pass();
    expect(await answers).toEqual(['a!', 'b!', 'c!', 'd!']);
    const later = add('e');
    expect(await begun()).toEqual(['a', 'bcd', 'e']);
    group(2).pass();
    expect(await later).toBe('e!');
  });

  test('tries a failed group one by one, so that one item fails alone', async () => {
    const { add, begun, group } = setUp();
    const answers = Promise.allSettled(['a', 'b', 'c', 'd'].map(add));
    group(0).pass();
    await begun();
    group(1).fail(poison);
    expect(await begun()).toEqual(['a', 'bcd', 'b']);
    group(2).pass();
    await begun();
    group(3).fail(poison);
    await begun();
    group(4).pass();
    expect(await begun()).toEqual(['a', 'bcd', 'b', 'c', 'd']);
    expect((await answers).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  test('skips that after a fatal database error, also during it, and continues with the next group', async () => {
    const { add, begun, group } = setUp();
    const answers = Promise.allSettled(['a', 'b', 'c', 'd'].map(add));
    group(0).fail(gone);
    await begun();
    group(1).fail(poison);
    await begun();
    group(2).fail(gone);
    expect(await begun()).toEqual(['a', 'bcd', 'b']);
    expect(await answers).toEqual(Array(4).fill({ status: 'rejected', reason: gone }));
    const later = add('e');
    group(3).pass();
    expect(await later).toBe('e!');
  });

  test('rejects items while the queue is full, and accepts again once it has drained', async () => {
    const { add, hasCapacity, begun, group } = setUp({ maxWaiting: 2 });
    const accepted = Promise.all(['a', 'b', 'c'].map(add));
    expect(hasCapacity()).toBe(false);
    await expect(add('d')).rejects.toThrow(BusyError);
    group(0).pass();
    await begun();
    const later = add('e');
    group(1).pass();
    expect(await accepted).toHaveLength(3);
    await begun();
    group(2).pass();
    expect(await later).toBe('e!');
  });

  test('rejects at once what would wait too long, and accepts again when the database is faster', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const { add, hasCapacity, begun, group } = setUp({ maxGroupSize: 1, maxWaitMs: 100 });
    const accepted = [add('a')];
    now += 60;
    // Only the commit in progress is ahead of this item, and it may end at any moment.
    accepted.push(add('b'));
    expect(hasCapacity()).toBe(false);
    await expect(add('c')).rejects.toThrow(BusyError);
    group(0).pass();
    await begun();
    now += 1;
    group(1).pass();
    await begun();
    accepted.push(add('d'), add('e'), add('f'));
    for (const index of [2, 3, 4]) {
      group(index).pass();
      await begun();
    }
    expect(await Promise.all(accepted)).toEqual(['a!', 'b!', 'd!', 'e!', 'f!']);
    clock.mockRestore();
  });
});
