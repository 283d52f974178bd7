import { afterAll, describe, expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { openTwoStores } from '../../../tests/harness/stores.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();

describe.each(databases)('rate counts on $name', async ({ create }) => {
  const { database, store, other, close } = await openTwoStores(create);
  afterAll(close);
  const [one, two] = [store.rateCounts, other.rateCounts];

  const add = (clients: string[], now: number, by = one) => by.add(clients, at(now), at(now + 60));

  test('count each request and amount once, over all concurrent processes, until their window ends', async () => {
    const added = Array.from({ length: 100 }, (_, index) =>
      add(['a', `b${index % 3}`], 0, index % 2 ? one : two),
    );
    const counts = (await Promise.all(added)).map(([a]) => a?.count ?? 0);
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect(await add(['b0', 'b0', 'c'], 0)).toMatchObject([{ count: 35 }, { count: 36 }, { count: 1 }]);
    const amounts = [5000, 300, -300, 20].map((amount, index) =>
      (index % 2 ? one : two).add(['bytes'], at(0), at(60), amount),
    );
    await Promise.all(amounts);
    const read = (now: number, by = one) => by.read(['bytes', 'c', 'nobody', 'bytes'], at(now));
    const many = await Promise.all(
      Array.from({ length: 300 }, (_, index) => read(59, index % 2 ? one : two)),
    );
    expect(new Set(many.map(String))).toEqual(new Set(['5020,1,0,5020']));
    expect(await read(60)).toEqual([0, 0, 0, 0]);
  });

  test('begin at 0 where more was taken back than was counted', async () => {
    for (const [second, expected] of [
      [300, 3],
      [360, 2],
    ] as const) {
      await one.add(['f'], at(second), at(second + 60), -5);
      expect(await two.read(['f'], at(second))).toEqual([0]);
      await one.add(['f'], at(second), at(second + 60), expected);
      expect(await two.read(['f'], at(second))).toEqual([expected]);
    }
  });

  test('start again after their window, and are then deleted', async () => {
    expect(await add(['d'], 100)).toEqual([{ count: 1, resetsAt: at(160) }]);
    expect(await add(['d'], 159)).toEqual([{ count: 2, resetsAt: at(160) }]);
    expect(await add(['d'], 160)).toEqual([{ count: 1, resetsAt: at(220) }]);
    await add(['e'], 900);
    expect(await database.query('select client from rate_counts')).toEqual([{ client: 'e' }]);
  });
});
