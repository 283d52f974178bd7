import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../../tests/harness/databases.ts';
import { fillEarlierDatabase, writeEarlierDatabase } from '../../../tests/harness/earlier-database.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { testConfig } from '../../../tests/harness/site.ts';
import { openTestStore } from '../../../tests/harness/stores.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { foldText } from '../../lib/fold-text.ts';
import { readBackupTime } from './backup.ts';

type Row = Record<string, unknown>;

const open = ({ env }: TestDatabase) =>
  openTestStore({ ...testConfig(env), onError: error => expect.unreachable(error.message) });

async function listTables({ env, query }: TestDatabase): Promise<string[]> {
  const rows = await query(
    env.DATABASE_URL
      ? "select tablename as name from pg_tables where schemaname = 'public' order by 1"
      : "select name from sqlite_schema where type = 'table' order by 1",
  );
  return rows.map(({ name }) => name as string);
}

async function readTables(database: TestDatabase): Promise<Record<string, Row[]>> {
  const names = (await listTables(database)).filter(name => !/^(migrations$|search_|sqlite_)/.test(name));
  const read = async (name: string) => database.query(`select * from ${name} order by 1, 2`);
  return Object.fromEntries(await Promise.all(names.map(async name => [name, await read(name)])));
}

/** Every table, column, default, constraint and index. */
async function readSchema({ env, query }: TestDatabase): Promise<Row[]> {
  if (!env.DATABASE_URL)
    return query("select name, sql from sqlite_schema where name not like 'sqlite_%' order by name");
  return [
    ...(await query(`select table_name, ordinal_position, column_name, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = 'public' order by 1, 2`)),
    ...(await query(`select relname, relpersistence from pg_class join pg_namespace n on n.oid = relnamespace
      where nspname = 'public' and relkind = 'r' order by 1`)),
    ...(await query("select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1")),
    ...(await query(`select conname, pg_get_constraintdef(c.oid) as definition from pg_constraint c
      join pg_namespace n on n.oid = connamespace where nspname = 'public' order by 1`)),
  ];
}

describe.each(databases)('on $name', ({ create }) => {
  test('a database of 19 November 2026 is carried over with every row, once', async () => {
    await using database = await create();
    await using empty = await create();
    await fillEarlierDatabase(database);
    const before = await readTables(database);
    await (await open(database)).close();
    await (await open(empty)).close();
    expect(await readSchema(database)).toEqual(await readSchema(empty));

    const after = await readTables(database);
    expect([Object.keys(after), after.messages?.length]).toEqual([Object.keys(before), 6]);
    for (const [table, rows] of Object.entries(after)) {
      const kept = new Set(Object.keys(before[table]?.[0] ?? {}));
      const pick = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => kept.has(name)));
      const columns = new Set(Object.keys(rows[0] ?? {}));
      const expected = before[table]?.map(row =>
        Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name))),
      );
      expect([table, rows.map(pick)]).toEqual([table, expected]);
    }

    const store = await open(database);
    const search = async (text: string) => {
      const pages = await Array.fromAsync(store.messages.search(foldText(text).split(' '), {}));
      return pages.flat().map(({ name }) => name);
    };
    expect(await search('müller 中文')).toEqual(['Jörg MÜLLER']);
    expect(await search('100% called: CREME')).toEqual(['Zoë Crème']);
    expect(await search('ann@example.com')).toEqual([]);
    await store.messages.add(newMessage({ name: 'New' }));
    expect(await search('new')).toEqual(['New']);
    await store.close();
    for (const change of [
      "deliveries set state = 'dead'",
      "messages set state = 'read'",
      "subscribers set suppression_reason = 'x'",
    ])
      await expect(database.query(`update ${change}`)).rejects.toThrow(/check/i);
  });

  test('an earlier one is refused in a sentence, and stays as it is', async () => {
    await using database = await create();
    await fillEarlierDatabase(database);
    await database.query("delete from migrations where name = '019-search-texts'");
    const before = await readTables(database);
    await expect(open(database)).rejects.toThrow(
      'it is of a version of the site before 19 November 2026: open it with the version of that day first',
    );
    expect(await readTables(database)).toEqual(before);
  });
});

test.each(databases.filter(({ name }) => name === 'PostgreSQL'))(
  'an old process that still runs on $name loses no message, and stores none that no search would find',
  async ({ create }) => {
    await using database = await create();
    await fillEarlierDatabase(database);
    const { DATABASE_URL: connectionString } = database.env;
    const old = new pg.Client({ connectionString });
    const connected = new pg.Client({ connectionString });
    await Promise.all([old.connect(), connected.connect()]);
    const insert = (reference: string) =>
      old.query(`insert into messages (reference, received_at, state, name, email, message, service)
        values ('${reference}', '2026-11-19T21:00:00.000Z', 'new', 'Late', '', '', '')`);
    await old.query('begin');
    await insert('LATE1-LATE1');
    const opening = open(database);
    const isWaiting = async () =>
      (await connected.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'")).rowCount;
    await expect.poll(isWaiting).toBeGreaterThan(0);
    await old.query('commit');
    const store = await opening;
    const found = (await Array.fromAsync(store.messages.search(['late'], {}))).flat();
    expect(found.map(({ reference }) => reference)).toEqual(['LATE1-LATE1']);
    await expect(insert('LATE2-LATE2')).rejects.toThrow(/search_text/);
    await Promise.all([old.end(), connected.end(), store.close()]);
  },
);

test('a backup of 19 November 2026 tells its time', async () => {
  const file = join(createTempFolder(), 'site.backup');
  writeEarlierDatabase(file);
  expect(await readBackupTime(file)).toMatch(/^2026-11-19T/);
});
