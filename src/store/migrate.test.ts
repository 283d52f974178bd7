import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { testConfig } from '../../tests/harness/site.ts';
import * as messages from './migrations/001-messages.ts';
import * as outbox from './migrations/002-outbox.ts';
import * as newsletter from './migrations/003-newsletter.ts';
import { openStore } from './open-store.ts';
import { openPool } from './postgres.ts';
import { databaseFile, openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

const onError = (error: Error) => expect.unreachable(error.message);

describe.each(databases)('migrating to letters on $name', ({ name, create }) => {
  const dialect = name === 'SQLite' ? 'sqlite' : 'postgres';
  let database: TestDatabase;

  beforeEach(async () => {
    database = await create();
    const url = database.env.DATABASE_URL;
    const db = url
      ? openPool(url, { max: 1 }, onError)
      : (await openSqlite(databaseFile(database.dataDir), onError)).db;
    await fill(db);
    await db.destroy();
  });
  afterEach(() => database.remove());

  /** A database as the version before left it, in the middle of its work. */
  async function fill(db: Kysely<Tables>): Promise<void> {
    await db.transaction().execute(async transaction => {
      await messages.up(transaction);
      await outbox.up(transaction, dialect);
      await sql`create table migrations (name text primary key, applied_at text not null)`.execute(
        transaction,
      );
      for (const migration of ['001-messages', '002-outbox']) {
        await sql`insert into migrations values (${migration}, 'then')`.execute(transaction);
      }
      await sql`insert into messages values ('AAAAA', 'then', 'new', 'Zoë', '', 'words', '', 'key', '')`.execute(
        transaction,
      );
      for (const [index, state] of ['waiting', 'sending', 'delivered', 'dead'].entries()) {
        await sql`insert into deliveries values (${`R${9 - index}`}, 'sheet', 'message', null, ${state}, 'made', 'due',
          ${index}, 'lease', 'until', 1, 1, 'why ''so''', 'settled')`.execute(transaction);
      }
      await sql`insert into deliveries (reference, receiver, kind, payload, created_at, due_at)
        values ('N1', 'mail', 'notice', '{"title":"é"}', 'made', 'due')`.execute(transaction);
      await sql`insert into receivers values ('sheet', 'then', 'answered 401')`.execute(transaction);
    });
  }

  const open = () => openStore({ ...testConfig(database.env), onError });

  test('loses nothing but plain keys, which a keyed hash replaces from then on', async () => {
    const select = (table: string) => database.query(`select * from ${table} order by 1`);
    const tables = ['messages', 'deliveries', 'receivers'];
    const before = await Promise.all(tables.map(select));
    expect(before[1]).toHaveLength(5);
    await (await open()).close();
    const after = await Promise.all(tables.map(select));
    const letters = { subscriber: null, issue: null, mailbox: null, network: null };
    const accepting = { refusals: 0, failing_at: null, failing_why: '', probed_at: null };
    expect(before[0]).toMatchObject([{ idempotency_key: 'key' }]);
    expect(after).toEqual([
      before[0]?.map(row => ({ ...row, idempotency_key: null })),
      before[1]?.map(row => ({ ...row, ...letters })),
      before[2]?.map(row => ({ ...row, ...accepting })),
    ]);
  });

  test('keeps what the table insists on, its defaults and its indexes, and lets letters in', async () => {
    await (await open()).close();
    const insert = (reference: string, kind: string, state: string) =>
      database.query(`insert into deliveries (reference, receiver, kind, state, created_at, due_at)
        values ('${reference}', 'sheet', '${kind}', '${state}', 'made', 'due')`);
    await expect(insert('R9', 'message', 'waiting')).rejects.toThrow(/unique/i);
    await expect(insert('new', 'parcel', 'waiting')).rejects.toThrow(/check/i);
    await expect(insert('new', 'issue', 'asleep')).rejects.toThrow(/check/i);
    await insert('new', 'issue', 'held');
    expect(await database.query("select * from deliveries where reference = 'new'")).toMatchObject([
      { attempts: 0, is_ambiguous: 0, is_possibly_twice: 0, last_failure: '', payload: null },
    ]);
    const indexes = await database.query(
      name === 'SQLite'
        ? "select name from sqlite_master where type = 'index' and tbl_name = 'deliveries'"
        : "select indexname as name from pg_indexes where tablename = 'deliveries'",
    );
    expect(indexes.map(index => index.name)).toEqual(
      expect.arrayContaining([
        'deliveries_mailbox',
        'deliveries_due',
        'deliveries_issue',
        'deliveries_subscriber',
      ]),
    );
  });
});

test.each(databases)(
  'requests and letters from before networks were kept stay, on $name',
  async ({ name, create }) => {
    const dialect = name === 'SQLite' ? 'sqlite' : 'postgres';
    const database = await create();
    const url = database.env.DATABASE_URL;
    const db = url
      ? openPool(url, { max: 1 }, onError)
      : (await openSqlite(databaseFile(database.dataDir), onError)).db;
    await db.transaction().execute(async transaction => {
      await messages.up(transaction);
      await outbox.up(transaction, dialect);
      await newsletter.up(transaction, dialect);
      await sql`create table migrations (name text primary key, applied_at text not null)`.execute(
        transaction,
      );
      for (const migration of ['001-messages', '002-outbox', '003-newsletter'])
        await sql`insert into migrations values (${migration}, 'then')`.execute(transaction);
      await sql`insert into sign_ups values ('s1', 'ada', 'ada@example.com', 'home', 'w1', 'asked')`.execute(
        transaction,
      );
      await sql`insert into deliveries (reference, receiver, kind, subscriber, created_at, due_at)
      values ('L1', 'confirmations', 'confirmation', 'bob', 'made', 'due')`.execute(transaction);
    });
    await db.destroy();
    await (await openStore({ ...testConfig(database.env), onError })).close();
    expect(await database.query('select * from sign_ups')).toEqual([
      {
        ...{ id: 's1', subscriber: 'ada', address: 'ada@example.com', form: 'home', wording: 'w1' },
        ...{ asked_at: 'asked', network: 'unknown' },
      },
    ]);
    expect(await database.query('select subscriber, mailbox, network from deliveries')).toEqual([
      { subscriber: 'bob', mailbox: null, network: null },
    ]);
    await database.remove();
  },
);
