import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { fillForReport } from '../../tests/harness/report.ts';
import { createFigures, type Figures } from './figures.ts';
import { openPool } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const onError = (error: Error) => expect.unreachable(error.message);

describe.each(databases)('figures on $name', ({ create }) => {
  let database: TestDatabase;
  let inSpansOf: (rows?: number) => Figures;
  let close: () => Promise<void>;

  beforeAll(async () => {
    database = await create();
    await fillForReport(database);
    const url = database.env.DATABASE_URL;
    const db = url ? openPool(url, { max: 1 }, onError) : (await openSqlite(database.dataDir, onError)).db;
    inSpansOf = rows => createFigures(db, url ? 'postgres' : 'sqlite', rows);
    close = () => db.destroy();
  });
  afterAll(async () => {
    await close();
    await database.remove();
  });

  // Five messages share one moment: they stay together, however few rows a statement may look at.
  test.each([1, 2, 3])('are the same, asked for %s rows at a time or at once', async rows => {
    const ask = async (figures: Figures) => ({
      days: await figures.countDays(),
      services: (await figures.countServices(['Data Security'])).sort((a, b) =>
        `${a.service}` < `${b.service}` ? -1 : 1,
      ),
      times: await figures.countTimes('sheet'),
      readers: await figures.countReaders(),
    });
    const whole = await ask(inSpansOf());
    expect(await ask(inSpansOf(rows))).toEqual(whole);
    expect(whole.days.reduce((sum, { count }) => sum + count, 0)).toBe(7);
    expect(whole.services.map(({ service, count }) => [service, count])).toEqual([
      ['', 1],
      ['Data Security', 2],
      [null, 1],
    ]);
    expect(whole.times.map(({ ms, count }) => [ms, count])).toEqual([
      [0, 1],
      [500, 1],
      [5_400_000, 1],
    ]);
  });

  test('of queues tell what waits, since when, and what was given up', async () => {
    const [sheet, mail, nobody] = await inSpansOf().queues(['sheet', 'mail', 'nobody']);
    expect(sheet).toMatchObject({ receiver: 'sheet', waiting: 1, dead: 0 });
    expect(sheet?.oldest).toMatch(/T23:59:59\.999Z$/);
    expect(mail).toMatchObject({ waiting: 1, dead: 1 });
    expect(nobody).toEqual({ receiver: 'nobody', waiting: 0, dead: 0, oldest: undefined });
  });
});
