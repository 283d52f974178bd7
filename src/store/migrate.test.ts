import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { testConfig } from '../../tests/harness/site.ts';
import { checkBackup } from './backup.ts';
import { migrationNames } from './migrate.ts';
import * as messages from './migrations/001-messages.ts';
import * as outbox from './migrations/002-outbox.ts';
import * as newsletter from './migrations/003-newsletter.ts';
import * as desk from './migrations/004-desk.ts';
import * as newsletterNetworks from './migrations/008-newsletter-networks.ts';
import * as refusals from './migrations/010-refusals.ts';
import * as importNetwork from './migrations/012-import-network.ts';
import { openStore } from './open-store.ts';
import { openPool } from './postgres.ts';
import { databaseFile, openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

const onError = (error: Error) => expect.unreachable(error.message);

describe.each(databases)('migrating to the newsletter on $name', ({ name, create }) => {
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

  /** A database of the version before, with unfinished deliveries. */
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
    const newsletterColumns = { subscriber: null, issue: null, mailbox: null, network: null };
    const accepting = { refusals: 0, failing_at: null, failing_why: '', probed_at: null };
    expect(before[0]).toMatchObject([{ idempotency_key: 'key' }]);
    expect(after).toEqual([
      before[0]?.map(row => ({ ...row, idempotency_key: null })),
      before[1]?.map(row => ({
        ...row,
        ...newsletterColumns,
        state: row.state === 'dead' ? 'failed' : row.state,
      })),
      before[2]?.map(row => ({ ...row, ...accepting })),
    ]);
  });

  test('keeps constraints, defaults and indexes of the table, and accepts subscriber mail', async () => {
    await (await open()).close();
    const insert = (reference: string, kind: string, state: string) =>
      database.query(`insert into deliveries (reference, receiver, kind, state, created_at, due_at)
        values ('${reference}', 'sheet', '${kind}', '${state}', 'made', 'due')`);
    await expect(insert('R9', 'message', 'waiting')).rejects.toThrow(/unique/i);
    await expect(insert('new', 'unknown', 'waiting')).rejects.toThrow(/check/i);
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
  'requests and confirmations from before networks were stored stay, on $name',
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
        ...{ id: 's1', subscriber: 'ada', address: 'ada@example.com', form: 'home', consent_text: 'w1' },
        ...{ requested_at: 'asked', network: 'unknown' },
      },
    ]);
    expect(await database.query('select subscriber, mailbox, network from deliveries')).toEqual([
      { subscriber: 'bob', mailbox: null, network: null },
    ]);
    await database.remove();
  },
);

test.each(databases)(
  'renames tables, columns and a state, and loses no row, on $name',
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
      for (const { up } of [desk, newsletterNetworks, refusals, importNetwork]) await up(transaction);
      const run = (text: string) => sql.raw(text).execute(transaction);
      await run('create table migrations (name text primary key, applied_at text not null)');
      for (const applied of migrationNames.filter(migration => migration < '014')) {
        await run(`insert into migrations values ('${applied}', 'then')`);
      }
      await run(`insert into subscribers (id, address, state, request_form, request_wording, requested_at, form, wording,
        asked_at, left_at, suppressed_at, suppressed_why)
      values ('ada', 'ada@example.com', 'suppressed', 'footer', 'w2', 'requested', 'home', 'w1',
        'asked', 'left', 'suppressed', 'bounce')`);
      await run(
        `insert into sign_ups values ('s1', 'bob', 'bob@example.com', 'home', 'w1', 'asked', 'ipv4:x')`,
      );
      await run("insert into wordings values ('w1', 'Once a month.', 'first')");
      await run("insert into chores values ('backup', 'done'), ('dead:sheet', 'told')");
      await run("insert into issues values ('I1', 'january', 'd', 'January', '<p>', 'text', 'queued', null)");
      await run(`insert into deliveries (reference, receiver, kind, subscriber, issue, mailbox, network, state, created_at,
        due_at, attempts, is_ambiguous, is_possibly_twice, last_failure, settled_at)
      values ('I1-ada', 'newsletter', 'issue', 'ada', 'I1', 'm', 'n', 'unsure', 'made', 'due', 3, 1, 1, 'why', 'settled')`);
      await run(
        "insert into deliveries (reference, receiver, kind, state, created_at, due_at) values ('M1', 'sheet', 'message', 'dead', 'made', 'due')",
      );
      await run("insert into attempts values ('R1', 'sheet', 1, 'ended', 'unsure', 'why')");
      await run("insert into rate_counts values ('pace of mail', 0, 'until'), ('client', 2, 'resets')");
    });
    await db.destroy();
    const indexes = () =>
      database.query(
        name === 'SQLite'
          ? "select name from sqlite_master where type = 'index' and tbl_name = 'deliveries' order by name"
          : "select indexname as name from pg_indexes where tablename = 'deliveries' order by indexname",
      );
    const indexesBefore = await indexes();
    const backupTime = () => checkBackup(databaseFile(database.dataDir));
    if (name === 'SQLite') expect(await backupTime()).toBe('done');
    await (await openStore({ ...testConfig(database.env), onError })).close();
    if (name === 'SQLite') expect(await backupTime()).toBe('done');

    expect(await database.query('select * from subscribers')).toMatchObject([
      {
        ...{ id: 'ada', request_form: 'footer', request_consent_text: 'w2', requested_at: 'requested' },
        ...{ form: 'home', consent_text: 'w1', consent_requested_at: 'asked', unsubscribed_at: 'left' },
        ...{ suppressed_at: 'suppressed', suppression_reason: 'bounce' },
      },
    ]);
    expect(await database.query('select * from sign_ups')).toMatchObject([
      { id: 's1', consent_text: 'w1', requested_at: 'asked', network: 'ipv4:x' },
    ]);
    expect(await database.query('select * from consent_texts')).toMatchObject([{ text: 'Once a month.' }]);
    expect(await database.query('select * from scheduled_runs order by name')).toEqual([
      { name: 'backup', done_at: 'done' },
      { name: 'failed:sheet', done_at: 'told' },
    ]);
    expect(await database.query('select * from newsletter_issues')).toMatchObject([{ name: 'january' }]);
    expect(await database.query('select * from deliveries order by reference')).toMatchObject([
      {
        ...{ reference: 'I1-ada', subscriber: 'ada', issue: 'I1', mailbox: 'm', network: 'n', attempts: 3 },
        ...{
          state: 'unconfirmed',
          is_ambiguous: 1,
          is_possibly_twice: 1,
          last_failure: 'why',
          payload: null,
        },
      },
      { reference: 'M1', state: 'failed' },
    ]);
    expect(await database.query('select state from attempts')).toEqual([{ state: 'unconfirmed' }]);
    expect(await database.query('select client from rate_counts')).toEqual([{ client: 'client' }]);
    expect(await indexes()).toEqual(indexesBefore);
    await expect(database.query("update deliveries set state = 'unsure'")).rejects.toThrow(/check/i);
    await expect(database.query("update subscribers set suppression_reason = 'x'")).rejects.toThrow(/check/i);
    await database.remove();
  },
);
