import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Checked, checkBackup, restoreBackup } from '../src/domain/backup/restore-backup.ts';
import { writeBackup } from '../src/domain/backup/write-backup.ts';
import { askToSubscribe } from '../src/domain/subscribers/ask-to-subscribe.ts';
import { eraseSubscriber } from '../src/domain/subscribers/erase-subscriber.ts';
import { leaveNewsletter } from '../src/domain/subscribers/leave-newsletter.ts';
import { suppressSubscriber } from '../src/domain/subscribers/suppress-subscriber.ts';
import { systemClock } from '../src/lib/clock.ts';
import { known, openForRestore } from '../src/server/restoring.ts';
import { wire } from '../src/server/wire.ts';
import { type Column, dumpedTables, type Row, type Shape } from '../src/store/dumped-tables.ts';
import { openStore } from '../src/store/open.ts';
import { runCommand, runProcess } from './harness/command.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { collectLog, startSite, testConfig } from './harness/site.ts';
import { bring, verbDeps } from './harness/subscribers.ts';

const [sqlite, postgres] = databases as [(typeof databases)[0], (typeof databases)[0]];
const onError = (error: Error) => expect.unreachable(error.message);

/** Lines of a backup without its first and last: those have a time and a checksum of their own. */
const body = (backup: string) => backup.trimEnd().split('\n').slice(1, -1);

/** What the database holds, as a backup. */
async function dumpOf({ env }: TestDatabase): Promise<string> {
  const store = await openStore({ ...testConfig(env), onError });
  try {
    const parts = [];
    for await (const part of writeBackup({ dump: store.dump, clock: systemClock })) parts.push(part);
    return Buffer.concat(parts).toString();
  } finally {
    await store.close();
  }
}

async function* partsOf(backup: string) {
  yield Buffer.from(backup);
}

/** Into an empty database, as the command does it. */
async function restoreInto({ env }: TestDatabase, backup: string, isMoved: boolean) {
  const read = () => partsOf(backup);
  const checked: Checked = await checkBackup(read, known);
  await using target = await openForRestore(testConfig(env));
  const standing = await target.look();
  return await restoreBackup(
    { target, clock: systemClock },
    { read, checked, standing, remembered: [], isMoved },
  );
}

/** A backup with rows in every table, each kind of value in each column, and letters that are easily spoilt. */
function writeSample(rowsEach: number): string {
  const letters = ['plain', 'Zoë 😀 \u{fb01}', `'"\\ \n\r\t\u2028 \u0007`, '[]{}', '=1+1', ''];
  function value(column: string, { kind, isNullable, oneOf }: Column, isKey: boolean, index: number) {
    if (isNullable && index % 3 === 0 && column !== 'address') return null;
    if (kind === 'integer') return index % 2;
    if (oneOf) return oneOf[index % oneOf.length] as string;
    const text = letters[index % letters.length] ?? '';
    return isKey || /_key$|^name$|^address$/.test(column) ? `${text} ${index}` : text;
  }
  const lines = [JSON.stringify({ ...head, migrations: known.migrations })];
  const counts: Record<string, number> = {};
  for (const [table, { key, columns }] of Object.entries<Shape>(dumpedTables)) {
    const rows = Array.from({ length: rowsEach }, (_, index) =>
      Object.fromEntries(
        Object.entries(columns).map(([name, column]) => [name, value(name, column, key[0] === name, index)]),
      ),
    );
    const keyOf = (row: Row) => Buffer.from(String(row[key[0] as string]));
    rows.sort((a, b) => Buffer.compare(keyOf(a), keyOf(b)));
    lines.push(...rows.map(r => JSON.stringify({ t: table, r })));
    counts[table] = rows.length;
  }
  const text = lines.map(line => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ end: true, counts, sha256 })}\n`;
}

const head = { format: 'wardhouse backup', version: 1, madeAt: '2026-01-02T00:00:00.000Z' };

test('every row of every table survives both databases, byte by byte', async () => {
  const sample = writeSample(60);
  for (const { name, create } of databases) {
    const database = await create();
    try {
      await restoreInto(database, sample, true);
      expect(body(await dumpOf(database)), name).toEqual(body(sample));
    } finally {
      await database.remove();
    }
  }
});

test('what waited is not sent as if nothing had happened, unless nothing has', async () => {
  const sample = writeSample(60);
  const database = await sqlite.create();
  try {
    const { doubts } = await restoreInto(database, sample, false);
    const states = await database.query(`select kind, state, count(*) as n, sum(is_ambiguous) as ambiguous,
      sum(lease is not null) as leases from deliveries where state in ('waiting', 'sending', 'held')
      or last_failure like 'restored%' group by 1, 2 order by 1, 2`);
    expect(states.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'confirmation dropped',
      'issue unsure',
      'message waiting',
      'notice waiting',
    ]);
    for (const { n, ambiguous, leases } of states) expect([ambiguous, leases]).toEqual([n, 0]);
    const [confirmations, issueLetters, ...messages] = states.map(({ n }) => n as number);
    expect(doubts).toEqual({ confirmations, issueLetters, messages: messages.reduce((a, b) => a + b) });
  } finally {
    await database.remove();
  }
});

describe.each([
  { name: 'SQLite to PostgreSQL', from: sqlite, to: postgres },
  { name: 'PostgreSQL to SQLite', from: postgres, to: sqlite },
])('the commands, from $name', ({ from, to }) => {
  let source: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    [source, target] = await Promise.all([from.create(), to.create()]);
  });
  afterAll(() => Promise.all([source.remove(), target.remove()]));

  test('while visitors write, everything moves but for whom was erased since', async () => {
    const file = join(source.dataDir, 'backup.gz');
    const erasures = join(source.dataDir, 'erasures.ndjson');
    const then = '2026-01-02T00:00:00.000Z';
    const ann = { id: 'ann', address: 'ann@example.com', form: 'import', wording: '', asked_at: then };
    {
      await using site = await startSite(source.env);
      const post = (email: string, message: string) =>
        fetch(`${site.origin}/api/contact`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'Visitor', email, message }),
        });
      await post('ann@example.com', 'mine');
      await post('bob@example.com', 'Ask ann@example.com.');
      await site.store.subscribers.importAll([{ ...ann, state: 'confirmed', confirmed_at: then }]);
      let isDone = false;
      const visitors = (async () => {
        while (!isDone) await post('bob@example.com', 'meanwhile');
      })();
      const said = await runProcess('src/cli/backup.ts', [file, '--json'], source.env);
      isDone = true;
      await visitors;
      expect(said.code, said.err).toBe(0);
      expect(await site.store.outbox.lastTurn('backup')).toBe(JSON.parse(said.out).madeAt);
      const hash = site.audit.ofAddress('Ann@example.com');
      const done_at = new Date().toISOString();
      writeFileSync(erasures, `${JSON.stringify({ hash, action: 'erase', done_at, counts: '{}' })}\n`);
    }
    const backup = gunzipSync(readFileSync(file)).toString();
    const rows = body(backup).map(line => JSON.parse(line) as { t: string; r: Row });
    const of = (table: string) => rows.filter(({ t }) => t === table).map(({ r }) => r.reference as string);
    expect(of('messages').length).toBeGreaterThanOrEqual(2);
    // Each message with its two deliveries, and none without.
    expect(of('deliveries')).toEqual(of('messages').flatMap(reference => [reference, reference]));

    const args = [file, '--moved', '--erasures', erasures, '--json'];
    const said = await runProcess('src/cli/restore.ts', args, target.env);
    expect(said.code, said.err).toBe(0);
    expect(JSON.parse(said.out).erased).toEqual({ messages: 1, mentions: 1, subscribers: 1 });
    const restored = await dumpOf(target);
    expect(restored).not.toContain('ann@example.com');
    expect(restored).toContain('Ask [erased].');
    expect(readFileSync(join(target.dataDir, 'erasures.ndjson'), 'utf8')).toBe(
      readFileSync(erasures, 'utf8'),
    );
    const theirs = rows.find(({ r }) => r.email === 'ann@example.com')?.r.reference;
    const others = body(backup).filter(
      line => !line.includes('ann@example.com') && !line.includes(`"${theirs}"`),
    );
    expect(body(restored)).toEqual(expect.arrayContaining(others));
    expect(body(restored)).toHaveLength(others.length + 3);
  }, 60_000);
});

test('a backup brings nobody back who left or was suppressed since, and says where that cannot be known', async () => {
  const [database, empty] = await Promise.all([sqlite.create(), postgres.create()]);
  try {
    const clock = { now: () => new Date(time) };
    let time = Date.UTC(2026, 0, 2);
    const { log } = collectLog();
    const site = await wire(testConfig(database.env), { log, clock });
    const deps = verbDeps(site);
    const of = (name: string) => `${name}@example.com`;
    const names = ['stays', 'leaves', 'bounces', 'forgotten', 'returns'];
    for (const name of names) await bring(deps, of(name), 'confirmed');
    await bring(deps, of('pending'), 'pending');
    await askToSubscribe(deps, { email: of('asks'), form: 'home', wording: '' });
    const parts = [];
    for await (const part of writeBackup({ dump: site.store.dump, clock })) parts.push(part);
    const backup = Buffer.concat(parts).toString();

    time += 3_600_000;
    const leave = (name: string) => {
      const id = deps.newsletter.nameSubscriber(of(name));
      return leaveNewsletter(deps, { id, key: deps.newsletter.leaveKey(id) });
    };
    for (const name of ['leaves', 'pending', 'returns', 'asks']) await leave(name);
    await suppressSubscriber(deps, of('bounces'), 'bounce');
    await suppressSubscriber(deps, of('asks'), 'owner');
    await suppressSubscriber(deps, of('unknown'), 'owner');
    // As erasures were before they were noted anywhere else.
    await eraseSubscriber(deps, of('forgotten'));
    time += 25 * 3_600_000;
    await bring(deps, of('returns'), 'pending');
    await site[Symbol.asyncDispose]();

    expect(await restoreInto(database, backup, false)).toMatchObject({
      departed: 7,
      departuresUnknownSince: null,
    });
    const rows = await database.query('select * from subscribers');
    const found = (name: string) => rows.find(({ id }) => id === deps.newsletter.nameSubscriber(of(name)));
    expect(found('stays')).toMatchObject({ state: 'confirmed', left_at: null });
    for (const name of ['leaves', 'returns']) {
      expect(found(name)).toMatchObject({
        ...{ state: 'unsubscribed', address: of(name), form: 'home', requested_at: null },
        ...{ confirmed_at: '2026-01-02T00:00:00.000Z', left_at: '2026-01-02T01:00:00.000Z' },
      });
    }
    expect(found('pending')).toMatchObject({ state: 'unsubscribed' });
    expect(found('bounces')).toMatchObject({ state: 'suppressed', suppressed_why: 'bounce', form: 'home' });
    expect(found('forgotten')).toMatchObject({ address: null, suppressed_why: 'erased', form: '' });
    for (const name of ['unknown', 'asks'])
      expect(found(name)).toMatchObject({ address: null, suppressed_why: 'owner' });
    expect(rows).toHaveLength(8);
    expect(await database.query('select * from sign_ups')).toEqual([]);

    expect(await restoreInto(empty, backup, false)).toMatchObject({
      departed: 0,
      departuresUnknownSince: '2026-01-02T00:00:00.000Z',
    });
    expect(await restoreInto(database, backup, true)).toMatchObject({ departed: 7 });
  } finally {
    await Promise.all([database.remove(), empty.remove()]);
  }
});

describe('restore', { timeout: 60_000 }, () => {
  let database: TestDatabase;
  let file: string;
  let before: string;
  beforeAll(async () => {
    database = await sqlite.create();
    file = join(database.dataDir, 'sample.ndjson');
    writeFileSync(file, writeSample(20));
    await restoreInto(database, writeSample(12), true);
    await database.query(`insert into audit values ('~', 'erase', 'then', '{}')`);
    // Nobody has left: times in the sample are any text.
    await database.query(`update subscribers set left_at = null, suppressed_at = null`);
    before = await dumpOf(database);
  });
  afterAll(() => database.remove());
  const restore = (...args: string[]) => runCommand('src/cli/restore.ts', args, database.env);

  test('refuses a damaged file, a database that holds something, and one in use, and changes nothing', async () => {
    const torn = join(database.dataDir, 'torn.ndjson');
    writeFileSync(torn, readFileSync(file).subarray(0, -400));
    const said = await restore(torn, '--replace', '--yes');
    expect([said.code, said.out]).toEqual([1, '']);
    expect(said.err).toMatch(/^\S+torn\.ndjson line \d+: .*Nothing was changed\.\n$/);

    const full = await restore(file);
    expect([full.code, full.out]).toEqual([1, '']);
    expect(full.err).toContain('12 messages');
    expect((await restore(file, '--replace')).code).toBe(2);

    const store = await openStore({ ...testConfig(database.env), onError });
    const used = await restore(file, '--replace', '--yes');
    await store.close();
    expect(used.code).toBe(1);
    expect(used.err).toContain('stop the site');
    expect(body(await dumpOf(database))).toEqual(body(before));
  });

  test('replaces what is there when it is told to, and keeps its erasures', async () => {
    const said = await restore(file, '--replace', '--yes', '--moved');
    expect([said.code, said.out]).toEqual([0, '']);
    const isErasure = (line: string) => line.includes('"hash":"~"');
    const after = body(await dumpOf(database));
    expect(after.filter(isErasure)).toHaveLength(1);
    expect(after.filter(line => !isErasure(line))).toEqual(body(readFileSync(file, 'utf8')));
  });
});
