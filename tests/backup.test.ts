import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTarget } from '../src/apps/server/restore-database.ts';
import { openWorkingCopy } from '../src/core/database/restore.ts';
import {
  deliveryKinds,
  deliveryStates,
  erasureLogActions,
  messageStates,
  subscriberStates,
  suppressionReasons,
} from '../src/core/database/tables.ts';
import { eraseSubscriberRows } from '../src/features/newsletter/erase-subscriber-rows.ts';
import { suppressSubscriber } from '../src/features/newsletter/suppress-subscriber.ts';
import { unsubscribe } from '../src/features/newsletter/unsubscribe.ts';
import { runCommand } from './harness/command.ts';
import { databases, databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { writeEarlierDatabase } from './harness/earlier-database.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, testConfig, wireSite } from './harness/site.ts';
import { openTestStore } from './harness/stores.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const [sqlite, postgres] = databases as [(typeof databases)[0], (typeof databases)[0]];
const onError = (error: Error) => expect.unreachable(error.message);
const isCopied = (table: string) => !/^(migrations|rate_counts|readiness|throttles)$/.test(table);

type Row = Record<string, unknown>;
type Tables = Record<string, Row[]>;

/** Its path or its URL, as copy-database takes it. */
const addressOf = ({ env, dataDir }: TestDatabase) => env.DATABASE_URL ?? join(dataDir, 'wardhouse.sqlite');
const isPostgres = ({ env }: TestDatabase) => env.DATABASE_URL !== undefined;

async function columnsOf({ query, ...database }: TestDatabase) {
  const rows = await query(
    isPostgres({ query, ...database })
      ? `select table_name as name, column_name as column, data_type as type, is_nullable = 'YES' as empty
          from information_schema.columns where table_schema = 'public' order by 1, ordinal_position`
      : `select t.name, c.name as "column", c.type, c."notnull" = 0 and c.pk = 0 as empty
          from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' order by 1, c.cid`,
  );
  return Map.groupBy(
    rows as { name: string; column: string; type: string; empty: unknown }[],
    row => row.name,
  );
}

/** Every row of every table, in an order that both databases have. */
async function rowsOf(database: TestDatabase): Promise<Tables> {
  const tables: Tables = {};
  for (const name of (await columnsOf(database)).keys()) {
    if (!isCopied(name)) continue;
    const rows = await database.query(`select * from ${name}`);
    const sorted = rows.map(row => Object.fromEntries(Object.entries(row).sort()));
    tables[name] = sorted.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  return tables;
}

const choices: Record<string, readonly string[]> = {
  'audit.action': erasureLogActions,
  'deliveries.kind': deliveryKinds,
  'deliveries.state': deliveryStates,
  'messages.state': messageStates,
  'subscribers.state': subscriberStates,
  'subscribers.suppression_reason': ['', ...suppressionReasons],
};
const texts = ['plain', 'Zoë 😀 \u{fb01}', `'"\\ \n\r\t\u2028 \u0007`, '[]{}', '=1+1', ''];
/** Messages are more than one page of the copying; in other tables each kind of value is enough. */
const countRows = (table: string) => (table === 'messages' ? 600 : 60);

/** Rows in every table, each kind of value in each column, and characters that encodings often damage. */
async function fill(database: TestDatabase): Promise<void> {
  await (await openTestStore({ ...testConfig(database.env), onError })).close();
  for (const [name, columns] of await columnsOf(database)) {
    if (!isCopied(name)) continue;
    const rows = Array.from({ length: countRows(name) }, (_, index) =>
      columns.map(({ column, type, empty }, place) => {
        const choice = choices[`${name}.${column}`];
        if (choice) return quote(choice[index % choice.length] as string);
        // As a time: no opt-out and no erasure since.
        if (/unsubscribed_at|suppressed_at/.test(column)) return 'null';
        if (/_at$/.test(column)) return quote(new Date(index * 1000).toISOString());
        if (/^int/i.test(type)) return [0, 1, 2_147_483_647][index % 3];
        if (empty && column !== 'address' && index % 3 === 0) return 'null';
        const isUnique = place === 0 || /_key$|^name$|^address$/.test(column);
        return quote(`${texts[index % texts.length]}${isUnique ? ` ${index}` : ''}`);
      }),
    );
    const values = rows.map(row => `(${row.join(', ')})`).join(', ');
    await database.query(`insert into ${name} values ${values}`);
  }
  for (const secret of ['newsletter', 'site'])
    await database.query(`insert into secrets values ('${secret}', 'x', '2026-01-01T00:00:00.000Z')`);
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const isSettled = ({ state }: Row) => !['waiting', 'sending', 'held'].includes(state as string);
const run = (name: string, args: string[], { env }: TestDatabase) =>
  runCommand(`src/apps/cli/${name}.ts`, args, env);

async function expectDone(name: string, args: string[], database: TestDatabase) {
  const result = await run(name, args, database);
  expect([result.code, result.err]).toEqual([0, result.err]);
  return result;
}

function change(file: string, statements: string): void {
  using opened = new DatabaseSync(file);
  opened.exec(statements);
}

describe.each([
  { name: 'SQLite to PostgreSQL', from: sqlite, to: postgres, signal: 'SIGTERM' as const },
  { name: 'PostgreSQL to SQLite', from: postgres, to: sqlite, signal: 'SIGKILL' as const },
])('from $name', ({ from, to, signal }) => {
  let source: TestDatabase;
  let target: TestDatabase;
  let copied: TestDatabase;
  let before: Tables;
  let file: string;
  beforeAll(async () => {
    [source, target, copied] = await Promise.all([from.create(), to.create(), to.create()]);
    await fill(source);
    before = await rowsOf(source);
    file = join(source.dataDir, 'site.backup');
  });
  afterAll(() => Promise.all([source, target, copied].map(database => database?.remove())));

  test('copy-database copies every row of every table', async () => {
    await expectDone('copy-database', [addressOf(source), addressOf(copied)], source);
    expect(await rowsOf(copied)).toEqual(before);
  });

  test('a restored backup has every row, and waiting deliveries are unconfirmed', async () => {
    const made = JSON.parse((await expectDone('backup', [file, '--json'], source)).out);
    expect([made.counts.messages, statSync(file).mode & 0o777]).toEqual([600, 0o600]);
    expect(readdirSync(source.dataDir).filter(name => name.startsWith('site.'))).toEqual(['site.backup']);
    const result = JSON.parse((await expectDone('restore', [file, '--json'], target)).out);
    const { deliveries, scheduled_runs: runs, ...others } = await rowsOf(target);
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map(name => [name, before[name]])));
    expect(runs).toContainEqual({ done_at: made.createdAt, name: 'backup' });
    expect(deliveries).toEqual(expect.arrayContaining(before.deliveries?.filter(isSettled) ?? []));
    const waited = before.deliveries?.filter(row => !isSettled(row)) ?? [];
    const restored = new Map(deliveries?.map(row => [row.reference, row]));
    for (const { reference, kind } of waited) {
      const state = { issue: 'unconfirmed', confirmation: 'cancelled' }[kind as string] ?? 'waiting';
      expect(restored.get(reference)).toMatchObject({ state, is_ambiguous: 1, lease: null });
    }
    const { messages, issues, confirmations } = result.unfinished;
    expect([messages + issues + confirmations, issues > 0]).toEqual([waited.length, true]);
    expect(existsSync(join(target.dataDir, 'restoring'))).toBe(false);
  });

  test(`a restore that ${signal} ends half-way changes nothing, and leaves no working copy`, async () => {
    const database = target;
    await database.query(`delete from messages where message = 'plain'`);
    const untouched = await rowsOf(database);
    const script = `
      import * as databases from ${JSON.stringify(import.meta.resolve('../src/core/database/restore.ts'))};
      const target = await databases.openTarget(${JSON.stringify(addressOf(database))}, undefined, false);
      const copy = await databases.openWorkingCopy(...${JSON.stringify([file, database.dataDir])});
      let pages = 0;
      await databases.replaceTables(target.db, copy.db.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          pages += 1;
          if (pages < 9) return result;
          process.stdout.write('half-way');
          return new Promise(resolve => setTimeout(resolve, 60_000));
        },
      }));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const [result] = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
    expect(String(result)).toBe('half-way');
    child.kill(signal);
    await once(child, 'exit');
    // PostgreSQL ends such a transaction by itself, once it knows.
    await expect.poll(() => rowsOf(database), { timeout: 10_000 }).toEqual(untouched);
    const folder = join(database.dataDir, 'restoring');
    expect(existsSync(folder)).toBe(signal === 'SIGKILL');
    await (await openTestStore({ ...testConfig(database.env), onError })).close();
    expect(existsSync(folder)).toBe(false);
  });

  test('a backup while visitors write is consistent', async () => {
    await using live = await from.create();
    await using site = await wireSite(testConfig(live.env), collectLog());
    const path = join(live.dataDir, 'site.backup');
    let isDone = false;
    const visitors = (async () => {
      while (!isDone) await site.store.messages.add(newMessage({ receivers: ['sheet', 'mail'] }));
    })();
    const { out } = await expectDone('backup', [path, '--json'], live);
    isDone = true;
    await visitors;
    expect(await site.store.schedule.lastRun('backup')).toBe(JSON.parse(out).createdAt);
    using opened = new DatabaseSync(path, { readOnly: true });
    // Each message with its two deliveries, and none without.
    const torn = `select reference from messages m full join (select reference, count(*) as n from deliveries
      group by reference) d using (reference) where m.reference is null or d.n is not 2`;
    expect(opened.prepare(torn).all()).toEqual([]);
    expect(JSON.parse(out).counts.messages).toBeGreaterThan(0);
  });
});

test('a restore keeps later erasures, opt-outs and suppressions, and reports where they are unknown', async () => {
  await using database = await sqlite.create();
  await using empty = await sqlite.create();
  const clock = { now: () => new Date(time) };
  let time = Date.UTC(2026, 0, 2);
  const site = await wireSite(testConfig(database.env), { ...collectLog(), clock });
  const deps = verbDeps(site);
  const of = (name: string) => `${name}@example.com`;
  const idOf = (name: string) => deps.newsletterKeys.subscriberPseudonym(of(name));
  for (const name of ['stays', 'leaves', 'bounces', 'forgotten', 'returns', 'ann'])
    await bringToState(deps, of(name), 'confirmed');
  for (const about of [{ email: of('ann') }, { email: of('bob'), message: `Ask ${of('ann')}.` }])
    await site.store.messages.add(newMessage(about));
  const file = join(empty.dataDir, 'site.backup');
  writeFileSync(file, '');
  await site.store.backUp(file, new Date(time).toISOString());

  time += 3_600_000;
  for (const name of ['leaves', 'returns'])
    await unsubscribe(deps, { id: idOf(name), key: deps.newsletterKeys.unsubscribeKey(idOf(name)) });
  await suppressSubscriber(deps, of('bounces'), 'bounce');
  await suppressSubscriber(deps, of('unknown'), 'owner');
  // As erasures were before they were noted anywhere else.
  await eraseSubscriberRows(deps, of('forgotten'));
  await expectDone('privacy', ['erase', 'Ann@example.com', '--yes'], database);
  time += 25 * 3_600_000;
  await bringToState(deps, of('returns'), 'pending');
  await site[Symbol.asyncDispose]();

  const result = await expectDone('restore', [file, '--replace', '--yes', '--json'], database);
  const erased = { messages: 1, mentions: 1, newsletter: 1 };
  expect(JSON.parse(result.out)).toMatchObject({ erased, optOuts: 6, areOptOutsUnknown: false });
  const left = { state: 'unsubscribed', form: 'home', requested_at: null };
  const times = { confirmed_at: '2026-01-02T00:00:00.000Z', unsubscribed_at: '2026-01-02T01:00:00.000Z' };
  const expected: Record<string, Row> = {
    stays: { state: 'confirmed', unsubscribed_at: null },
    leaves: { ...left, ...times, address: of('leaves') },
    returns: { ...left, ...times, address: of('returns') },
    bounces: { state: 'suppressed', suppression_reason: 'bounce', form: 'home' },
    forgotten: { address: null, suppression_reason: 'erased', form: '' },
    unknown: { address: null, suppression_reason: 'owner' },
    ann: { address: null, suppression_reason: 'erased' },
  };
  const rows = await database.query('select * from subscribers');
  for (const [name, row] of Object.entries(expected))
    expect(rows.find(({ id }) => id === idOf(name))).toMatchObject(row);
  expect(rows).toHaveLength(7);

  const ledger = join(database.dataDir, 'erasures.ndjson');
  const there = await expectDone('restore', [file, '--erasures', ledger, '--json'], empty);
  expect(JSON.parse(there.out)).toMatchObject({ erased, optOuts: 0, areOptOutsUnknown: true });
  const restored = JSON.stringify(await rowsOf(empty));
  expect(restored).toContain('Ask [erased].');
  expect(restored).not.toContain(of('ann'));
  expect(readFileSync(join(empty.dataDir, 'erasures.ndjson'), 'utf8')).toBe(readFileSync(ledger, 'utf8'));
});

describe.each(databaseUnderTest)('a restore on $name', ({ create }) => {
  let database: TestDatabase;
  let file: string;
  let before: Tables;
  beforeAll(async () => {
    database = await create();
    file = join(database.dataDir, 'site.backup');
    await fill(database);
    await expectDone('backup', [file], database);
    await database.query(`delete from messages where message = 'plain'`);
    before = await rowsOf(database);
  });
  afterAll(() => database.remove());
  const restore = (...args: string[]) => run('restore', args, database);

  test('rejects a foreign, damaged, truncated or newer file, in one line', async () => {
    const other = join(database.dataDir, 'other.backup');
    async function expectRefused(reason: string) {
      const result = await restore(other, '--replace', '--yes');
      expect([result.code, result.out]).toEqual([1, '']);
      expect(result.err).toBe(`Error: cannot restore ${other}: ${reason}. Nothing was changed.\n`);
    }
    await expectRefused('no such file');
    writeFileSync(other, '{"format":"wardhouse backup"}\n');
    await expectRefused('it is no SQLite file');
    writeFileSync(other, readFileSync(file));
    truncateSync(other, statSync(file).size / 2);
    await expectRefused('it is damaged, or cut off');
    writeFileSync(other, readFileSync(file).fill(7, 40_960, 81_920));
    await expectRefused('it is damaged');
    writeFileSync(other, readFileSync(file));
    change(other, `insert into migrations values ('999-later', '')`);
    await expectRefused('it is of a newer version of the site (999-later)');
    change(other, 'drop table migrations');
    await expectRefused('it is a database of something else');
    expect(await rowsOf(database)).toEqual(before);
  });

  test('does not touch a database that has data or is in use', async () => {
    const expectRefused = async (name: string, args: string[], code: number, reason: string) => {
      const result = await run(name, args, database);
      expect([result.code, result.err]).toEqual([code, expect.stringContaining(reason)]);
    };
    const [own, other] = [addressOf(database), join(database.dataDir, 'x.sqlite')];
    await expectRefused('restore', [file], 1, '500 messages');
    await expectRefused('restore', [file, '--replace'], 1, 'Nothing was changed');
    await expectRefused('copy-database', [file, own], 1, 'is not empty (500 messages');
    if (!isPostgres(database))
      await expectRefused('backup', [own, '--force'], 2, 'the database of the site itself');
    const store = await openTestStore({ ...testConfig(database.env), onError });
    await expectRefused('restore', [file, '--replace', '--yes'], 1, 'stop the site');
    await expectRefused('copy-database', [own, other], 1, 'stop the site');
    await store.close();
    expect(await rowsOf(database)).toEqual(before);
  });

  test('locks the database and its working copy against a process that starts meanwhile', async () => {
    const config = testConfig(database.env);
    const ended = vi.fn();
    let opening: Promise<unknown>;
    {
      await using _target = await openTarget(config, false);
      await using _copy = await openWorkingCopy(file, database.dataDir, onError);
      opening = openTestStore({ ...config, onError })
        .then(store => store.close())
        .then(ended, error => expect(error.message).toContain('database is locked'));
      await wait(300);
      expect(ended).not.toHaveBeenCalled();
      expect(statSync(join(database.dataDir, 'restoring/wardhouse.sqlite')).mode & 0o777).toBe(0o600);
    }
    await opening;
  });

  test('of 19 November 2026 is carried over; erasures and NUL characters stay', async () => {
    const earlier = join(database.dataDir, 'earlier.backup');
    writeEarlierDatabase(earlier);
    change(earlier, `update messages set message = 'a' || char(0) || 'b' where name = 'Cy'`);
    await database.query(`insert into audit values ('~', 'erase', '2026-01-02T00:00:00.000Z', '{}')`);
    const result = await restore(earlier, '--replace', '--yes');
    expect([result.code, result.err]).toEqual([0, result.err]);
    const rows = await rowsOf(database);
    expect(rows.messages).toHaveLength(6);
    // Two of the backup, and those of the replaced database.
    expect(rows.audit).toHaveLength(countRows('audit') + 3);
    const messages = rows.messages?.map(({ message }) => message);
    // PostgreSQL stores no NUL.
    expect(messages).toContain(isPostgres(database) ? 'a\ufffdb' : 'a\0b');
  });
});
