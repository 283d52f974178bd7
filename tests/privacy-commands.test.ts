import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { contactPath } from '../src/api/contract.ts';
import { wire } from '../src/server/wire.ts';
import { type CommandResult, runCommand, runProcess } from './harness/command.ts';
import { databases, databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { inBase64 } from './harness/find-text.ts';
import { type Copy, copyProject } from './harness/process.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, testConfig } from './harness/site.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';

// Each of these starts a few processes.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const address = 'zoe@example.com';
const words = {
  name: 'Zoë Unmistakable',
  email: 'Zoe@Example.com',
  message: `Nobody else says pomegranate. Please write to ${address}, or call about the long line that a mail breaks in two.`,
  service: '',
};
/** Texts that no file may contain afterwards. */
const needles = ['zoe@example.com', 'pomegranate', 'Unmistakable', 'tamarind'];

const [sqlite, postgres] = databases as [Database, Database];
type Database = (typeof databases)[number];

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-rights-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('npm run privacy on SQLite, beside a server', () => {
  let database: TestDatabase;
  let copy: Copy;
  let origin: string;
  beforeAll(async () => {
    database = await sqlite.create();
    copy = copyProject();
    await using site = await wire(testConfig(database.env), collectLog());
    await addOthers(database, 10_000);
    const backupFile = {
      ...words,
      message: 'tamarind',
      state: 'quarantined',
      quarantine_reason: 'flood',
    } as const;
    await site.store.messages.add(
      newMessage({ ...backupFile, received_at: new Date(Date.now() - 120_000).toISOString() }),
    );
    await bringToState(verbDeps(site), address, 'confirmed');
    origin = await copy.start(database.env).address();
  });
  afterAll(async () => {
    await copy[Symbol.asyncDispose]();
    await database.remove();
  });

  const privacy = (...args: string[]) => runPrivacy(database, args);
  const post = async (fields: Record<string, string>) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const response = await fetch(origin + contactPath, {
      method: 'POST',
      headers,
      body: JSON.stringify(fields),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { reference: string }).reference;
  };
  const delivered = (receiver: string, count: number) =>
    vi.waitFor(
      async () => {
        const rows = await database.query(
          `select count(*) as n from deliveries where receiver = '${receiver}' and state = 'delivered'`,
        );
        expect(rows[0]?.n).toBe(count);
      },
      { timeout: 30_000, interval: 50 },
    );

  test('finds, exports and corrects the data of a person', async () => {
    const own = await post(words);
    const other = await post({
      ...words,
      name: 'Other',
      email: 'other@example.com',
      message: `Ask ${address}, not azoe@example.org.`,
    });
    await delivered('sheet', 2);
    // Including the digest.
    await delivered('mail', 3);
    await database.query(`update attempts set why = '${database.dataDir}/mail cannot be written to'`);
    const { code, out } = await privacy('find', ' ZOE@example.com', '--json');
    const found = JSON.parse(out);
    expect(code).toBe(0);
    expect(found.messages).toHaveLength(2);
    expect(found.messages.map((one: { reference: string }) => one.reference)).toContain(own);
    expect(found.mentions).toMatchObject([{ reference: other }]);
    expect(found.deliveries).toHaveLength(2);
    expect(found.newsletter.subscriber).toMatchObject({ address, state: 'confirmed' });
    const kinds = found.copies.map(
      ({ kind, isTheirs }: { kind: string; isTheirs: boolean }) => `${kind} ${isTheirs}`,
    );
    expect(kinds.sort()).toEqual(['mail false', 'mail false', 'mail true', 'row false', 'row true']);

    const file = join(folder, 'zoe.json');
    expect(await privacy('export', address, file)).toMatchObject({
      code: 0,
      err: expect.stringContaining('others wrote'),
    });
    const exported = JSON.parse(readFileSync(file, 'utf8'));
    expect(exported).toMatchObject({
      address,
      retention: { messages: '2 years' },
      newsletter: { state: 'confirmed' },
      notIncluded: expect.stringContaining('1.'),
      complaints: expect.stringContaining('authority'),
      earlierRequests: [],
    });
    expect(Object.keys(exported)).toEqual(
      expect.arrayContaining(['usedFor', 'seenBy', 'comesFrom', 'yourRights']),
    );
    // The reason of a failure is not exported, because it names folders and servers.
    expect(JSON.stringify(exported)).not.toContain(database.dataDir);
    expect(exported.messages).toContainEqual(expect.objectContaining({ reference: own, ...words }));
    expect(exported.messages.flatMap((one: { copies: unknown[] }) => one.copies)).toHaveLength(2);
    expect(JSON.stringify(exported)).not.toContain('other@example.com');
    expect(await privacy('export', address, file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--force'),
    });

    expect(
      await privacy('rectify', address, '--name', '=Zoë "Z" U', '--reference', own.toLowerCase(), '--yes'),
    ).toMatchObject({ code: 0 });
    expect(rows(database).find(row => row.Reference === own)?.Name).toBe(`'=Zoë "Z" U`);
    const mail = readdirSync(join(database.dataDir, 'mail')).find(name => name.includes(own)) ?? '';
    expect(readFileSync(join(database.dataDir, 'mail', mail), 'utf8')).not.toContain('Unmistakable');
  });

  test('asks before it erases, and erases everything while visitors write', async () => {
    expect(await privacy('erase', address)).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
    // Temporary files that a killed server may have left.
    writeFileSync(join(database.dataDir, 'messages.csv.torn'), `"2026","${words.name}","zoe@exa`);
    writeFileSync(join(database.dataDir, 'messages.csv.torn'), `"2026","","${address}`, { flag: 'a' });
    writeFileSync(
      join(database.dataDir, 'mail/2026-01-01T000000-AAAAA-00000.eml.part'),
      'To: x\r\n\r\nzoe@exam=\r\nple.com',
    );
    const posted: string[] = [];
    let isOver = false;
    const posting = (async () => {
      while (!isOver)
        posted.push(
          await post({ ...words, name: 'Visitor', email: 'visitor@example.com', message: 'Hello' }),
        );
    })();
    const { code, out } = await privacy('erase', address, '--yes', '--json');
    isOver = true;
    await posting;
    const erased = JSON.parse(out);
    expect([code, erased.isDone, erased.tasks]).toEqual([0, true, []]);
    expect(erased.counts).toMatchObject({
      messages: 2,
      mentions: 1,
      newsletter: 1,
      rows: 1,
      redacted: 1,
      mails: 3,
      remains: 2,
    });
    expect(findTraces(database.dataDir)).toEqual([]);

    await delivered('sheet', 1 + posted.length);
    expect(
      rows(database)
        .map(row => row.Reference)
        .sort(),
    ).toEqual([...posted, erasedMention(database)].sort());
    expect(rows(database).map(row => row.Message)).toContain('Ask [erased], not azoe@example.org.');
    expect(findTraces(database.dataDir)).toEqual([]);
    const again = await privacy('find', address);
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toMatch(
      /Erased on .*: 2 messages, 1 mention, 1 newsletter subscription, 2 rows and 3 mails\n/,
    );
    expect(await privacy('erase', address, '--yes')).toMatchObject({ code: 1 });
  });
});

describe.each(databaseUnderTest)('npm run privacy on $name', ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database.remove());
  const privacy = (...args: string[]) => runPrivacy(database, args);

  test('finds nothing in an empty database', async () => {
    await (await wire(testConfig(database.env), collectLog()))[Symbol.asyncDispose]();
    // As a process, to see that it ends by itself.
    expect(await runProcess('src/cli/privacy.ts', ['find', address], database.env)).toEqual({
      code: 1,
      out: '',
      err: `error: no data found for ${address}\n`,
    });
    const { code, out } = await privacy('erase', address, '--yes', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([1, { isKnown: false, counts: { messages: 0 } }]);
    expect(await privacy('find', 'nobody')).toMatchObject({
      code: 2,
      err: expect.stringContaining("'nobody' is not"),
    });
  });

  test('exports and corrects a single message', async () => {
    const message = newMessage({ ...words, receivers: [] });
    await using site = await wire(testConfig(database.env), collectLog());
    await site.store.messages.add(message);
    expect(await privacy('rectify', address, '--name', 'Right', '--yes')).toMatchObject({ code: 0 });
    const { code, out } = await privacy('export', address, '-');
    const { reference } = message;
    expect([code, JSON.parse(out).messages]).toMatchObject([0, [{ reference, name: 'Right' }]]);
    expect(await privacy('erase', address, '--yes', '--json')).toMatchObject({ code: 0 });
    expect(await site.store.messages.count({})).toBe(0);
  });

  test('asks a new address to confirm the newsletter, and unsubscribes the old one', async () => {
    await using site = await wire(testConfig(database.env), collectLog());
    const id = await bringToState(verbDeps(site), 'old@example.com', 'confirmed');
    const { code, out } = await privacy(
      'rectify',
      'old@example.com',
      '--email',
      'new@example.com',
      '--yes',
      '--json',
    );
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { messages: 0, newsletter: 'unsubscribed; the new address is asked to confirm' },
    ]);
    expect((await site.store.subscribers.get(id))?.state).toBe('unsubscribed');
    expect(await database.query('select address, form from sign_ups')).toEqual([
      { address: 'new@example.com', form: 'import' },
    ]);
    expect(await privacy('rectify', 'old@example.com', '--yes')).toMatchObject({ code: 2 });
  });
});

describe('npm run privacy on PostgreSQL alone', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await postgres.create();
  });
  afterAll(() => database.remove());
  const privacy = (...args: string[]) => runPrivacy(database, args);

  test('erases a message without the address as well, and lists what PostgreSQL retains', async () => {
    const also = newMessage({ ...words, email: '', message: 'pomegranate', receivers: [] });
    const outside = newMessage({ ...words, receivers: ['webhook'] });
    await using site = await wire(testConfig(database.env), collectLog());
    await addOthers(database, 10_000);
    for (const one of [also, outside]) await site.store.messages.add(one);
    await database.query("update deliveries set state = 'delivered'");
    await bringToState(verbDeps(site), address, 'confirmed');
    // The planner keeps samples of a table that is empty by now.
    await database.query(`insert into sign_ups select n || '', '', '${address}', '', '', ''
      from generate_series(1, 50) as n`);
    await database.query('analyze');
    await database.query('delete from sign_ups');
    writeFileSync(join(database.dataDir, 'wardhouse.sqlite'), `from before the move ${address}`);
    const { code, err } = await privacy('erase', address, '--yes', '--with', also.reference.toLowerCase());
    expect(await site.store.messages.count({})).toBe(10_000);
    expect(err).toContain(`To do: webhook (no longer configured): delete the`);
    expect(err).toContain(outside.reference);
    expect(err).toMatch(/until VACUUM \(dead rows so far: .*autovacuum is on\)/);
    expect(err).toMatch(/ANALYZE [^.]*sign_ups/);
    expect(err).not.toMatch(/ANALYZE [^.]*messages/);
    expect(err).toMatch(/wal_keep_size \d.*archive_mode off, no replication slots/);
    // A database that is no longer used is reported, not changed.
    expect([code, err]).toEqual([1, expect.stringContaining('wardhouse.sqlite contains the address')]);
    expect(await database.query('select action from audit order by action')).toEqual([
      { action: 'erase' },
      { action: 'erase-message' },
    ]);
    const ledger = readFileSync(join(database.dataDir, 'erasures.ndjson'), 'utf8');
    expect(ledger.trim().split('\n')).toHaveLength(2);
    expect(ledger).not.toContain(also.reference);
  });
});

function runPrivacy(database: TestDatabase, args: string[]): Promise<CommandResult> {
  return runCommand('src/cli/privacy.ts', args, database.env);
}

/** Each mentions a longer address that contains this one. */
async function addOthers(database: TestDatabase, count: number): Promise<void> {
  await database.query(`insert into messages (reference, received_at, state, name, email, message, service)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    select 'OTHER-' || n, '2026-01-02T03:04:05.678Z', 'new', 'Visitor', 'visitor' || n || '@example.com',
      'Number ' || n || ', azoe@example.com.au', '' from numbers`);
}

type Row = Record<'Received' | 'Name' | 'Email' | 'Service' | 'Message' | 'Reference', string>;

function rows(database: TestDatabase): Row[] {
  return parse(readFileSync(join(database.dataDir, 'messages.csv')), { bom: true, columns: true });
}

function erasedMention(database: TestDatabase): string {
  return rows(database).find(row => row.Message.includes('[erased]'))?.Reference ?? '';
}

/** Searches every file for plain text, quoted-printable and base64. */
function findTraces(dataDir: string): string[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .flatMap(file => {
      // A mail that is being written is renamed meanwhile.
      const raw = existsSync(file) ? readFileSync(file, 'latin1') : '';
      const decoded = raw
        .replaceAll(/=\r?\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
      // A longer address of another person contains this one.
      const text = `${raw}${decoded}`.replaceAll('azoe@', '').toLowerCase();
      return needles
        .filter(
          needle => text.includes(needle.toLowerCase()) || inBase64(needle).some(code => raw.includes(code)),
        )
        .map(needle => `${needle} in ${file}`);
    });
}
