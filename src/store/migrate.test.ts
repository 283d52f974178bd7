import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { testConfig } from '../../tests/harness/site.ts';
import { readBackupTime } from './backup.ts';
import { migrationNames } from './migrate.ts';
import { openStore } from './open-store.ts';
import { openPool } from './postgres.ts';
import { databaseFile, openSqlite } from './sqlite.ts';

const nothing = { up: async () => undefined };
const onError = (error: Error) => expect.unreachable(error.message);

describe.each(databases)('migrating on $name', ({ name, create }) => {
  let database: TestDatabase;
  afterEach(() => database.remove());

  /** A database as the version whose last migration was `last` left it, with these rows. */
  async function createAt(last: string, ...inserts: string[]): Promise<void> {
    database = await create();
    const url = database.env.DATABASE_URL;
    const db = url
      ? openPool(url, { max: 1 }, onError)
      : (await openSqlite(databaseFile(database.dataDir), onError)).db;
    await db.transaction().execute(async transaction => {
      const run = (statement: string) => sql.raw(statement).execute(transaction);
      await run('create table migrations (name text primary key, applied_at text not null)');
      for (const migration of migrationNames.slice(0, migrationNames.indexOf(last) + 1)) {
        // 005 created only what 011 dropped.
        const { up } = migration === '005-views' ? nothing : await import(`./migrations/${migration}.ts`);
        await up(transaction, name === 'SQLite' ? 'sqlite' : 'postgres');
        await run(`insert into migrations values ('${migration}', 'then')`);
      }
      for (const insert of inserts) await run(`insert into ${insert}`);
    });
    await db.destroy();
  }

  const migrate = async () => (await openStore({ ...testConfig(database.env), onError })).close();
  const select = (table: string) => database.query(`select * from ${table} order by 1`);

  test('from before the newsletter loses nothing but plain keys, which a keyed hash replaces', async () => {
    const states = ['waiting', 'sending', 'delivered', 'dead'];
    await createAt(
      '002-outbox',
      "messages values ('AAAAA', 'then', 'new', 'Zoë', '', 'words', '', 'key', '')",
      ...states.map(
        (state, index) => `deliveries values ('R${9 - index}', 'sheet', 'message', null, '${state}', 'made',
          'due', ${index}, 'lease', 'until', 1, 1, 'why ''so''', 'settled')`,
      ),
      `deliveries (reference, receiver, kind, payload, created_at, due_at)
        values ('N1', 'mail', 'notice', '{"title":"é"}', 'made', 'due')`,
      "receivers values ('sheet', 'then', 'answered 401')",
    );
    const tables = ['messages', 'deliveries', 'receivers'];
    const [messages, deliveries, receivers] = await Promise.all(tables.map(select));
    expect([messages?.length, deliveries?.length, receivers?.length]).toEqual([1, 5, 1]);
    await migrate();
    const newsletterColumns = { subscriber: null, issue: null, mailbox: null, network: null };
    const accepting = { refusals: 0, failing_at: null, failure_reason: '', probed_at: null };
    const renamed = ({ is_possibly_twice, paused_why, ...row }: Record<string, unknown>) => ({
      ...row,
      ...(paused_why === undefined
        ? { is_possible_duplicate: is_possibly_twice }
        : { pause_reason: paused_why }),
    });
    expect(await Promise.all(tables.map(select))).toEqual([
      messages?.map(row => ({
        ...row,
        ...{ idempotency_key: null, answered_at: null, closed_at: null, audit_report: null },
      })),
      deliveries?.map(row => ({
        ...{ ...renamed(row), ...newsletterColumns },
        state: row.state === 'dead' ? 'failed' : row.state,
      })),
      receivers?.map(row => ({ ...renamed(row), ...accepting })),
    ]);
  });

  test('from before networks were stored keeps sign-ups and confirmations', async () => {
    await createAt(
      '003-newsletter',
      "sign_ups values ('s1', 'ada', 'ada@example.com', 'home', 'w1', 'asked')",
      `deliveries (reference, receiver, kind, subscriber, created_at, due_at)
        values ('L1', 'confirmations', 'confirmation', 'bob', 'made', 'due')`,
    );
    await migrate();
    expect(await select('sign_ups')).toEqual([
      {
        ...{ id: 's1', subscriber: 'ada', address: 'ada@example.com', form: 'home', consent_text: 'w1' },
        ...{ requested_at: 'asked', network: 'unknown' },
      },
    ]);
    expect(await select('deliveries')).toMatchObject([{ subscriber: 'bob', mailbox: null, network: null }]);
  });

  test('renames tables, columns and a state, and keeps rows, indexes and constraints', async () => {
    await createAt(
      '013-honeypot-reasons',
      `subscribers (id, address, state, request_form, request_wording, requested_at, form, wording, asked_at,
        left_at, suppressed_at, suppressed_why)
        values ('ada', 'ada@example.com', 'suppressed', 'footer', 'w2', 'requested', 'home', 'w1', 'asked',
        'left', 'suppressed', 'bounce')`,
      "sign_ups values ('s1', 'bob', 'bob@example.com', 'home', 'w1', 'asked', 'ipv4:x')",
      "wordings values ('w1', 'Once a month.', 'first')",
      "chores values ('backup', 'done'), ('dead:sheet', 'told')",
      "issues values ('I1', 'january', 'd', 'January', '<p>', 'text', 'queued', null)",
      `deliveries (reference, receiver, kind, subscriber, issue, mailbox, network, state, created_at, due_at,
        attempts, is_ambiguous, is_possibly_twice, last_failure, settled_at)
        values ('I1-ada', 'newsletter', 'issue', 'ada', 'I1', 'm', 'n', 'unsure', 'made', 'due', 3, 1, 1, 'why',
        'settled')`,
      `deliveries (reference, receiver, kind, state, created_at, due_at)
        values ('M1', 'sheet', 'message', 'dead', 'made', 'due'), ('M2', 'sheet', 'message', 'dropped', 'made', 'due')`,
      "messages values ('M1', 'then', 'new', 'Zoë', '', 'words', '', 'key', '')",
      "attempts values ('R1', 'sheet', 1, 'ended', 'unsure', 'why')",
      "rate_counts values ('pace of mail', 0, 'until'), ('client', 2, 'resets')",
    );
    const indexes = async () => {
      const rows = await database.query(
        name === 'SQLite'
          ? "select name from sqlite_master where type = 'index' and tbl_name in ('deliveries', 'messages')"
          : "select indexname as name from pg_indexes where tablename in ('deliveries', 'messages')",
      );
      return rows.map(index => index.name).sort();
    };
    const indexesBefore = await indexes();
    expect(indexesBefore).toEqual(expect.arrayContaining(['deliveries_due', 'messages_state']));
    const checkTime = async () => {
      if (name === 'SQLite') expect(await readBackupTime(databaseFile(database.dataDir))).toBe('done');
    };
    await checkTime();
    await migrate();
    await checkTime();

    expect(await select('subscribers')).toMatchObject([
      {
        ...{ id: 'ada', request_form: 'footer', request_consent_text: 'w2', requested_at: 'requested' },
        ...{ form: 'home', consent_text: 'w1', consent_requested_at: 'asked', unsubscribed_at: 'left' },
        ...{ suppressed_at: 'suppressed', suppression_reason: 'bounce' },
      },
    ]);
    expect(await select('sign_ups')).toMatchObject([
      { id: 's1', consent_text: 'w1', requested_at: 'asked', network: 'ipv4:x' },
    ]);
    expect(await select('consent_texts')).toMatchObject([{ text: 'Once a month.' }]);
    expect(await select('scheduled_runs')).toEqual([
      { name: 'backup', done_at: 'done' },
      { name: 'failed:sheet', done_at: 'told' },
    ]);
    expect(await select('newsletter_issues')).toMatchObject([{ name: 'january', hash: 'd' }]);
    expect(await select('deliveries')).toMatchObject([
      {
        ...{ reference: 'I1-ada', subscriber: 'ada', issue: 'I1', mailbox: 'm', network: 'n', attempts: 3 },
        ...{ state: 'unconfirmed', is_ambiguous: 1, is_possible_duplicate: 1, last_failure: 'why' },
      },
      { reference: 'M1', state: 'failed' },
      { reference: 'M2', state: 'cancelled' },
    ]);
    expect(await select('attempts')).toMatchObject([{ state: 'unconfirmed', reason: 'why' }]);
    expect(await select('rate_counts')).toMatchObject([{ client: 'client' }]);
    expect(await indexes()).toEqual(indexesBefore);
    await database.query("update messages set state = 'answered'");
    expect(await select('messages')).toMatchObject([{ reference: 'M1', name: 'Zoë', state: 'answered' }]);
    for (const change of [
      "deliveries set state = 'unsure'",
      "messages set state = 'read'",
      "subscribers set suppression_reason = 'x'",
    ])
      await expect(database.query(`update ${change}`)).rejects.toThrow(/check/i);
  });
});
