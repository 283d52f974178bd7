import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { testConfig } from '../../tests/harness/site.ts';
import { readBackupTime } from './backup.ts';
import { migrationNames } from './migrate.ts';
import { openStore } from './open-store.ts';
import { openPool } from './postgres.ts';
import { databaseFile, openSqlite } from './sqlite.ts';

const onError = (error: Error) => expect.unreachable(error.message);

/** What the versions of the site stored whose last migration was this one. */
const inserts: Record<string, string[]> = {
  '002-outbox': [
    "messages values ('AAAAA', 'then', 'new', 'Zoë', '', 'words', '', 'key', '')",
    ...['waiting', 'sending', 'delivered', 'dead'].map(
      (state, index) => `deliveries values ('R${index}', 'sheet', 'message', null, '${state}', 'made',
        'due', ${index}, 'lease', 'until', 1, 1, 'why ''so''', 'settled')`,
    ),
    `deliveries (reference, receiver, kind, payload, created_at, due_at)
      values ('N1', 'mail', 'notice', '{"title":"é"}', 'made', 'due')`,
    "receivers values ('sheet', 'then', 'answered 401')",
  ],
  '003-newsletter': [
    "sign_ups values ('s1', 'ada', 'ada@example.com', 'home', 'w1', 'asked')",
    `deliveries (reference, receiver, kind, subscriber, created_at, due_at)
      values ('L1', 'confirmations', 'confirmation', 'bob', 'made', 'due')`,
  ],
  '013-honeypot-reasons': [
    `subscribers (id, address, state, request_form, request_wording, requested_at, form, wording, asked_at,
      left_at, suppressed_at, suppressed_why)
      values ('ada', 'ada@example.com', 'suppressed', 'footer', 'w2', 'requested', 'home', 'w1', 'asked',
      'left', 'suppressed', 'bounce')`,
    "sign_ups values ('s2', 'bob', 'bob@example.com', 'home', 'w1', 'asked', 'ipv4:x')",
    "wordings values ('w1', 'Once a month.', 'first')",
    "chores values ('backup', 'done'), ('dead:sheet', 'told')",
    "issues values ('I1', 'january', 'd', 'January', '<p>', 'text', 'queued', null)",
    `deliveries (reference, receiver, kind, subscriber, issue, mailbox, network, state, created_at, due_at,
      attempts, is_ambiguous, is_possibly_twice, last_failure, settled_at)
      values ('I1-ada', 'newsletter', 'issue', 'ada', 'I1', 'm', 'n', 'unsure', 'made', 'due', 3, 1, 1, 'why',
      'settled')`,
    `deliveries (reference, receiver, kind, state, created_at, due_at)
      values ('M2', 'sheet', 'message', 'dropped', 'made', 'due')`,
    "attempts values ('R1', 'sheet', 1, 'ended', 'unsure', 'why')",
    "rate_counts values ('pace of mail', 0, 'until'), ('client', 2, 'resets')",
  ],
};

test.each(databases)(
  'migrating on $name keeps what every version stored, under the new names',
  async ({ name, create }) => {
    const isSqlite = name === 'SQLite';
    await using database = await create();
    const file = databaseFile(database.dataDir);
    const url = database.env.DATABASE_URL;
    const db = url ? openPool(url, { max: 1 }, onError) : (await openSqlite(file, onError)).db;
    await db.transaction().execute(async transaction => {
      const run = (statement: string) => sql.raw(statement).execute(transaction);
      await run('create table migrations (name text primary key, applied_at text not null)');
      for (const migration of migrationNames.slice(0, migrationNames.indexOf('014-usual-names'))) {
        // 005 created only what 011 dropped.
        if (migration !== '005-views')
          await (await import(`./migrations/${migration}.ts`)).up(
            transaction,
            isSqlite ? 'sqlite' : 'postgres',
          );
        await run(`insert into migrations values ('${migration}', 'then')`);
        for (const insert of inserts[migration] ?? []) await run(`insert into ${insert}`);
      }
    });
    await db.destroy();

    const select = (table: string) => database.query(`select * from ${table} order by 1`);
    const indexes = async () => {
      const rows = await database.query(
        isSqlite
          ? "select name from sqlite_master where type = 'index' and tbl_name in ('deliveries', 'messages')"
          : "select indexname as name from pg_indexes where tablename in ('deliveries', 'messages')",
      );
      return rows.map(index => index.name).sort();
    };
    const indexesBefore = await indexes();
    expect(indexesBefore).toEqual(expect.arrayContaining(['deliveries_due', 'messages_state']));
    if (isSqlite) expect(await readBackupTime(file)).toBe('done');
    await (await openStore({ ...testConfig(database.env), onError })).close();
    if (isSqlite) expect(await readBackupTime(file)).toBe('done');
    expect(await indexes()).toEqual(indexesBefore);

    expect(await select('messages')).toEqual([
      {
        ...{
          reference: 'AAAAA',
          received_at: 'then',
          state: 'new',
          name: 'Zoë',
          email: '',
          message: 'words',
        },
        // A keyed hash replaces plain keys.
        ...{ service: '', idempotency_key: null, quarantine_reason: '' },
        ...{ answered_at: null, closed_at: null, audit_report: null },
        search_text: 'aaaaa\nzoe\n\n\nwords',
      },
    ]);
    const ofMessage = {
      ...{ receiver: 'sheet', kind: 'message', payload: null, created_at: 'made', due_at: 'due' },
      ...{ lease: 'lease', lease_until: 'until', last_failure: "why 'so'", settled_at: 'settled' },
      ...{ is_ambiguous: 1, is_possible_duplicate: 1 },
      ...{ subscriber: null, issue: null, mailbox: null, network: null },
    };
    expect(await select('deliveries')).toMatchObject([
      {
        ...{ reference: 'I1-ada', subscriber: 'ada', issue: 'I1', mailbox: 'm', network: 'n', attempts: 3 },
        ...{ state: 'unconfirmed', is_ambiguous: 1, is_possible_duplicate: 1, last_failure: 'why' },
      },
      { reference: 'L1', kind: 'confirmation', subscriber: 'bob', mailbox: null, network: null },
      { reference: 'M2', state: 'cancelled' },
      { reference: 'N1', kind: 'notice', payload: '{"title":"é"}', state: 'waiting' },
      ...['waiting', 'sending', 'delivered', 'failed'].map((state, index) => ({
        ...{ ...ofMessage, reference: `R${index}`, state, attempts: index },
      })),
    ]);
    expect(await select('receivers')).toEqual([
      {
        ...{ name: 'sheet', paused_at: 'then', pause_reason: 'answered 401' },
        ...{ refusals: 0, failing_at: null, failure_reason: '', probed_at: null },
      },
    ]);
    expect(await select('subscribers')).toMatchObject([
      {
        ...{ id: 'ada', request_form: 'footer', request_consent_text: 'w2', requested_at: 'requested' },
        ...{ form: 'home', consent_text: 'w1', consent_requested_at: 'asked', unsubscribed_at: 'left' },
        ...{ suppressed_at: 'suppressed', suppression_reason: 'bounce' },
      },
    ]);
    expect(await select('sign_ups')).toMatchObject([
      { id: 's1', address: 'ada@example.com', form: 'home', requested_at: 'asked', network: 'unknown' },
      { id: 's2', subscriber: 'bob', consent_text: 'w1', network: 'ipv4:x' },
    ]);
    expect(await select('consent_texts')).toMatchObject([{ text: 'Once a month.' }]);
    expect(await select('scheduled_runs')).toEqual([
      { name: 'backup', done_at: 'done' },
      { name: 'failed:sheet', done_at: 'told' },
    ]);
    expect(await select('newsletter_issues')).toMatchObject([{ name: 'january', hash: 'd' }]);
    expect(await select('attempts')).toMatchObject([{ state: 'unconfirmed', reason: 'why' }]);
    expect(await select('rate_counts')).toMatchObject([{ client: 'client' }]);
    for (const change of [
      "deliveries set state = 'unsure'",
      "messages set state = 'read'",
      "subscribers set suppression_reason = 'x'",
    ])
      await expect(database.query(`update ${change}`)).rejects.toThrow(/check/i);
    await database.query("update messages set state = 'answered'");
  },
);
