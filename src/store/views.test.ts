import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { testConfig } from '../../tests/harness/site.ts';
import { openStore, type Store } from './open.ts';
import type { ViewRow } from './tables.ts';

const row: ViewRow = {
  ...{ day: '2026-11-15', kind: 'view', path: '/', referrer: '', source: '', medium: '', campaign: '' },
  count: 1,
};
const fold = (one: ViewRow): ViewRow => ({ ...one, referrer: 'other' });

describe.each(databases)('views on $name', ({ name, create }) => {
  let database: TestDatabase;
  let stores: Store[];

  beforeAll(async () => {
    database = await create();
    const open = () =>
      openStore({ ...testConfig(database.env), onError: error => expect.unreachable(error.message) });
    stores = [await open(), await open()];
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await database.remove();
  });

  const add = (rows: ViewRow[], { most = 1000, by = 0 } = {}) =>
    (stores[by] as Store).views.add(rows, { most, fold });
  const list = (day: string) =>
    database.query(`select path, referrer, count from views where day = '${day}' order by path, referrer`);

  test('add up, whoever adds to the same rows at the same moment', async () => {
    const rounds = Array.from({ length: 40 }, (_, index) =>
      // In turn from the first and from the last: two that wait for each other would wait in a ring.
      add(index % 4 < 2 ? [row, { ...row, path: '/faq', count: 2 }] : [{ ...row, path: '/faq' }, row], {
        by: index % 2,
      }),
    );
    await Promise.all(rounds);
    expect(await list(row.day)).toEqual([
      { path: '/', referrer: '', count: 40 },
      { path: '/faq', referrer: '', count: 60 },
    ]);
  });

  test('take no more rows for a day than they may, whoever adds them', async () => {
    const day = '2026-11-16';
    const from = (by: number) =>
      Array.from({ length: 8 }, (_, made) => ({ ...row, day, referrer: `${by}-${made}.example` }));
    await Promise.all([0, 1].map(by => add(from(by), { most: 10, by })));
    const rows = await list(day);
    expect(rows).toHaveLength(11);
    expect(rows.find(({ referrer }) => referrer === 'other')?.count).toBe(6);
    await add(from(0), { most: 10 });
    expect(await list(day)).toHaveLength(11);
    const all = (await list(day)).reduce((sum, { count }) => sum + Number(count), 0);
    expect(all, name).toBe(24);
  });

  test('are forgotten by the day', async () => {
    await add([{ ...row, day: '2024-01-01' }]);
    expect(await (stores[0] as Store).views.removeBefore('2024-01-02')).toBe(1);
    expect(await list('2024-01-01')).toEqual([]);
    expect(await list(row.day)).toHaveLength(2);
  });
});
