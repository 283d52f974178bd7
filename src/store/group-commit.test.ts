import { describe, expect, test } from 'vitest';
import { createGroupCommit } from './group-commit.ts';

const limits = { most: 100, mostWaiting: 1000, isHopeless: (error: unknown) => error === gone };
const gone = new Error('the database is gone');
const poison = new Error('cannot be stored');

/** Commits by hand: each group waits until the test lets it through, or fails it. */
function setUp(about: Partial<typeof limits> = {}) {
  const groups: { items: string[]; pass(): void; fail(error: Error): void }[] = [];
  const add = createGroupCommit<string, string>(
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
  return { add, begun, group: (index: number) => groups[index] as (typeof groups)[number] };
}

describe('group commit', () => {
  test('makes one group of all that came while another was under way, and answers each in its place', async () => {
    const { add, begun, group } = setUp();
    const answers = Promise.all(['a', 'b', 'c', 'd'].map(add));
    expect(await begun()).toEqual(['a']);
    group(0).pass();
    expect(await begun()).toEqual(['a', 'bcd']);
    group(1).pass();
    expect(await answers).toEqual(['a!', 'b!', 'c!', 'd!']);
    const later = add('e');
    expect(await begun()).toEqual(['a', 'bcd', 'e']);
    group(2).pass();
    expect(await later).toBe('e!');
  });

  test('answers nobody before the commit', async () => {
    const { add, begun, group } = setUp();
    let isAnswered = false;
    const answer = add('a').then(() => {
      isAnswered = true;
    });
    await begun();
    expect(isAnswered).toBe(false);
    group(0).pass();
    await answer;
  });

  test('makes no group larger than allowed', async () => {
    const { add, begun, group } = setUp({ most: 2 });
    const answers = Promise.all(['a', 'b', 'c', 'd'].map(add));
    for (const [index, groups] of [['a'], ['a', 'bc'], ['a', 'bc', 'd']].entries()) {
      expect(await begun()).toEqual(groups);
      group(index).pass();
    }
    expect(await answers).toHaveLength(4);
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

  test('spares that when there is no hope, also when hope ends on the way, and goes on with the next', async () => {
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

  test('turns away what comes when too many wait, and takes more once they are through', async () => {
    const { add, begun, group } = setUp({ mostWaiting: 2 });
    const accepted = Promise.all(['a', 'b', 'c'].map(add));
    await expect(add('d')).rejects.toThrow('more than 2 wait already');
    group(0).pass();
    await begun();
    const later = add('e');
    group(1).pass();
    expect(await accepted).toHaveLength(3);
    await begun();
    group(2).pass();
    expect(await later).toBe('e!');
  });
});
