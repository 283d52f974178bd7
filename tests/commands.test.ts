import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { wire } from '../src/server/wire.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { type CommandResult, listVerbs, runCommand, runProcess } from './harness/command.ts';
import { databases, databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { copyProject } from './harness/process.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, testConfig } from './harness/site.ts';

vi.setConfig({ testTimeout: 60_000 });

describe.each(databaseUnderTest)('npm run inbox on $name', ({ create }) => {
  let database: TestDatabase;
  const quarantined = newMessage({ state: 'quarantined', quarantine_reason: 'flood' });
  const failed = newMessage({ receivers: ['sheet', 'mail'] });
  const waiting = newMessage({ receivers: ['mail'] });

  beforeAll(async () => {
    database = await create();
    await using site = await wire(testConfig(database.env), collectLog());
    for (const message of [quarantined, failed, waiting]) await site.store.messages.add(message);
    await database.query(
      `update deliveries set state = 'failed', attempts = 10, last_failure = 'answered 500'
       where reference = '${failed.reference}' and receiver = 'sheet'`,
    );
    const now = '2026-01-02T03:04:05.678Z';
    await site.store.receivers.pause('mail', 'answered 535 to the login', now);
    const refusal = { receiver: 'webhook', why: 'answered 403: refused', now, failingAfter: 3 };
    for (const _ of [1, 2, 3]) await site.store.receivers.countRefusal(refusal);
  });
  afterAll(() => database.remove());

  const inbox = (...args: string[]) => runInbox(database, args);

  test('lists messages, and those in one state', async () => {
    // As a process, to see that it ends by itself: an open connection would keep it running.
    const { out } = await runProcess('src/cli/inbox.ts', ['list', '--state', 'quarantined'], database.env);
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]?.split('\t').slice(0, 3)).toEqual([
      quarantined.reference,
      quarantined.received_at,
      'quarantined (flood)',
    ]);
    expect(JSON.parse((await inbox('list', '--json', '--limit', '2')).out)).toMatchObject({ total: 3 });
    expect((await inbox('list', '--state', 'spam', '--service', 'data')).err).toMatch(
      /^No messages found\n.*match the name in the form exactly\.\n$/,
    );
  });

  test('lists failed and waiting deliveries, and the paused receiver', async () => {
    const { code, out, err } = await inbox('deliveries', '--failed');
    expect(code).toBe(0);
    const [head, line, ...rest] = out.trim().split('\n');
    expect(head?.split('\t').slice(0, 3)).toEqual(['reference', 'receiver', 'state']);
    expect(line?.split('\t')).toEqual([failed.reference, 'sheet', 'failed', '10', '', '', 'answered 500']);
    expect(rest).toEqual([]);
    expect(err).toContain(
      'Receiver mail has been paused since 2026-01-02T03:04:05.678Z: answered 535 to the login.',
    );
    for (const next of ['retry --failed', 'retry --waiting'])
      expect(err).toContain(`npm run inbox -- ${next}`);

    const { total, deliveries } = JSON.parse(
      (await inbox('deliveries', '--waiting', '--json', '--limit', '1')).out,
    );
    expect([total, deliveries.length]).toEqual([2, 1]);
  });

  test('names the failing receiver and its last answer', async () => {
    const { err } = await inbox('deliveries', '--dead');
    expect(err).toMatch(/webhook .*failing since 2026-01-02T03:04:05\.678Z.* 3 .*answered 403: refused/);
    expect(JSON.parse((await inbox('deliveries', '--json')).out).failing).toMatchObject([
      { name: 'webhook' },
    ]);
  });

  test('retries failed deliveries, and resumes a paused receiver', async () => {
    // A mistyped or empty reference changes nothing.
    expect(await inbox('retry', '')).toMatchObject({ code: 2 });
    expect((await inbox('retry', 'NOSUC-HHERE')).err).toBe(
      'error: no failed or waiting deliveries of NOSUC-HHERE\n',
    );
    expect((await inbox('deliveries', '--failed')).err).toContain('paused');
    expect(JSON.parse((await inbox('retry', '--waiting', '--to', 'mail', '--json')).out)).toEqual({
      retried: 2,
      resumed: ['mail'],
    });
    expect((await inbox('deliveries', '--failed')).err).not.toContain('paused');
    expect((await inbox('retry', failed.reference.toLowerCase())).err).toContain('2 deliveries due now');
    expect((await inbox('deliveries', '--failed')).err).toContain('No failed deliveries');
    expect(await inbox('retry', quarantined.reference)).toMatchObject({ code: 1 });
  });

  test('releases a message from quarantine once, and queues its deliveries', async () => {
    expect((await inbox('release', quarantined.reference)).err).toContain('released');
    const { out } = await inbox('deliveries', '--waiting');
    expect(out.split('\n').filter(line => line.startsWith(quarantined.reference))).toHaveLength(2);
    expect(await inbox('release', quarantined.reference)).toMatchObject({
      code: 1,
      err: `error: ${quarantined.reference} is not in quarantine or spam; its state is new\n`,
    });
    expect((await inbox('release', 'NOSUC-HHERE')).err).toBe(
      'error: no message with the reference NOSUC-HHERE\n',
    );
  });

  test('marks spam, whose deliveries are cancelled until it is released', async () => {
    const both = [waiting.reference.toLowerCase(), 'NOSUC-HHERE'];
    const { code, out, err } = await inbox('mark-spam', ...both, '--json');
    expect([code, JSON.parse(out), err]).toEqual([
      1,
      { marked: [waiting.reference] },
      'error: no message with the reference NOSUC-HHERE\n',
    ]);
    const { state, deliveries } = JSON.parse((await inbox('show', waiting.reference, '--json')).out);
    expect([state, deliveries[0].state]).toEqual(['spam', 'dropped']);
    expect((await inbox('release', waiting.reference)).code).toBe(0);
    expect((await inbox('show', waiting.reference)).out).toMatch(/State {6}new\n[\s\S]*mail {5}waiting, due/);
  });
});

describe.each(databaseUnderTest)('10,000 messages on $name', ({ create }) => {
  let database: TestDatabase;
  let folder: string;
  /** A message that tries to harm its reader. */
  const hostile = newMessage({
    received_at: '2030-01-01T00:00:00.000Z',
    name: '=HYPERLINK("http://example.com")',
    email: '+1@example.com',
    service: 'Répairs',
    message: `Ünïque\x1b[2J\x1b]0;owned\x07\u202ewords\u2066\r\nState      new\tlate;=1+1`,
  });

  beforeAll(async () => {
    database = await create();
    folder = database.dataDir;
    await using site = await wire(testConfig(database.env), collectLog());
    await site.store.messages.add({ ...hostile, receivers: ['sheet'] });
    const now = hostile.received_at;
    const claimed = await site.store.outbox.claim({
      ...{ receiver: 'sheet', now, lease: 'a', leaseUntil: now, limit: 1 },
    });
    const why = 'answered 503';
    for (const delivery of claimed) {
      const flags = { isAmbiguous: false, isPossibleDuplicate: false };
      await site.store.outbox.settle(delivery, { state: 'failed', attempts: 1, why, now, ...flags });
    }
    await database.query(manyMessages(database));
  });
  afterAll(() => database.remove());

  const inbox = (...args: string[]) => runInbox(database, args);

  test('are listed in pages with the option for the next', async () => {
    const first = await inbox('list', '--limit', '2', '--since', '2026-03-01', '--state', 'new');
    const lines = first.out.trim().split('\n');
    expect(lines.map(line => line.split('\t')[0])).toEqual(['reference', hostile.reference, 'M0000-09999']);
    const [, next = ''] = /Next page: (--before .*)\n/.exec(first.err) ?? [];
    expect(first.err).toContain('Showing 2 of more than 10,000.');
    expect(first.out.replaceAll(/[\t\n]/g, '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);

    const second = JSON.parse((await inbox('list', '--limit', '2', ...next.split(' '), '--json')).out);
    expect(second).toMatchObject({ total: 10_000, isTotalExact: false, next: 'M0000-09997' });
    expect(second.messages.map(({ reference }: { reference: string }) => reference)).toEqual([
      'M0000-09998',
      'M0000-09997',
    ]);
    expect(await inbox('list', '--before', 'NOSUC-HHERE')).toMatchObject({ code: 1, out: '' });
  });

  test('are searched without regard to case and accents', async () => {
    const { out } = await inbox('list', '--search', 'WORDS unique REPAIRS', '--json');
    expect(JSON.parse(out)).toMatchObject({ total: 1, isTotalExact: true, next: null });
    expect(JSON.parse(out).messages).toMatchObject([
      { reference: hostile.reference, message: hostile.message },
    ]);
    const some = await inbox('list', '--search', 'muller 42', '--limit', '3', '--service', "Cook's");
    expect(some.out.trim().split('\n')).toHaveLength(4);
    expect(some.err).toMatch(/^Showing 3; there are more\. .* --before M0000-\d+\n$/);
  });

  test('are shown with each attempt, and cannot imitate output of the command', async () => {
    const { out } = await inbox('show', hostile.reference);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(out.split('\n').filter(line => line.startsWith('State'))).toHaveLength(1);
    expect(out).toContain(
      `sheet    failed, ${hostile.received_at}\n    1. ${hostile.received_at}  failed: answered 503`,
    );
    expect(await inbox('show', 'NOSUC-HHERE')).toMatchObject({ code: 1, out: '' });
  });

  test('are exported completely while others arrive', async () => {
    const [csv, json] = [join(folder, 'out.csv'), join(folder, 'out.json')];
    const exporting = inbox('export', '--csv', csv);
    await using site = await wire(testConfig(database.env), collectLog());
    let isDone = false;
    exporting.finally(() => {
      isDone = true;
    });
    for (let sent = 0; !isDone; sent++) {
      const year = sent % 2 ? 2025 : 2031;
      await site.store.messages.add(newMessage({ received_at: `${year}-01-01T00:00:00.000Z` }));
      await wait(10);
    }
    expect(await exporting).toMatchObject({ code: 0, out: '' });
    const records: Record<string, string>[] = parse(readFileSync(csv), { bom: true, columns: true });
    const references = records.map(({ Reference }) => Reference as string);
    expect(new Set(references).size).toBe(references.length);
    expect(references.filter(one => one.startsWith('M0000-'))).toHaveLength(10_000);
    const record = records.find(({ Reference }) => Reference === hostile.reference);
    expect(record).toMatchObject({ Name: `'${hostile.name}`, Email: `'${hostile.email}` });
    expect(record?.Message).toContain("late;'=1+1");
    expect(statSync(csv).mode & 0o777).toBe(0o600);

    expect(await inbox('export', '--csv', csv)).toMatchObject({ code: 1, out: '' });
    expect((await inbox('export', '--json', json, '--search', 'unique')).err).toContain(
      '1 message exported to',
    );
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject([{ message: hostile.message }]);
    expect(JSON.parse((await inbox('export', '--json', '-', '--state', 'spam')).out)).toEqual([]);
  });

  test('are reported, backed up, restored and checked before launch', async () => {
    const [page, backup] = [join(folder, 'report.html'), join(folder, 'site.backup')];
    const lost = join(folder, 'lost');
    const run = (script: string, args: string[], more = {}) =>
      runCommand(`src/cli/${script}.ts`, args, { ...database.env, ...more });
    expect((await inbox('report', page)).code).toBe(0);
    expect(readFileSync(page, 'utf8')).toMatch(/10,0\d\d/);
    const saved = await run('backup', [backup, '--json']);
    const { messages } = JSON.parse(saved.out).counts;
    expect([saved.code, messages > 10_000]).toEqual([0, true]);
    const restored = await run('restore', [backup, '--json'], { DATA_DIR: lost, DATABASE_URL: '' });
    expect([restored.code, JSON.parse(restored.out).counts.messages]).toEqual([0, messages]);
    const { code, out } = await run('check-launch', ['--json']);
    const lines: { name: string; state: string }[] = JSON.parse(out).lines;
    expect([code, lines.find(({ name }) => name === 'Backups')?.state]).toEqual([1, 'ready']);
  });
});

/** In one statement, because single inserts would take too long. */
function manyMessages({ env }: TestDatabase): string {
  const isPostgres = 'DATABASE_URL' in env;
  const numbers = isPostgres
    ? 'select * from generate_series(0, 9999) as numbers (n)'
    : 'with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 9999) select n from numbers';
  const digits = isPostgres ? "lpad(n::text, 5, '0')" : "printf('%05d', n)";
  return `insert into messages (reference, received_at, state, name, email, message, service, quarantine_reason)
    select 'M0000-' || ${digits}, '2026-05-01T00:00:0' || (n / 2000) || '.000Z', 'new', 'Müller', 'm@example.com',
      'Message ' || n, 'Cook''s', '' from (${numbers}) as counted returning reference`;
}

describe('npm run inbox', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await (databases[0] as (typeof databases)[number]).create();
    await (await wire(testConfig(database.env), collectLog()))[Symbol.asyncDispose]();
  });
  afterAll(() => database.remove());

  test.concurrent.each([
    [[], /^Usage: npm run inbox -- /],
    [['forget'], /^error: unknown command 'forget'\nHelp: npm run inbox -- --help\n$/],
    [['lst'], /^error: unknown command 'lst' \(Did you mean list\?\)\nHelp: /],
    [['release'], /^error: release requires .*\nHelp: .*\n$/],
    [['show'], /^error: missing required argument 'reference'\nHelp: npm run inbox -- show --help\n$/],
    [['deliveries', '--to', 'fax'], /^error: .*'fax' is invalid\. .* sheet, mail, webhook\.\nHelp: .*\n$/],
    [['deliveries', '--failed', '--waiting'], /^error: .* cannot be used with .*\nHelp: .*\n$/],
    [['deliveries', '--faild'], /^error: unknown option '--faild' \(Did you mean --failed\?\)\nHelp: .*\n$/],
  ])('rejects %j and names the help', async (args, wanted) => {
    const { code, out, err } = await runProcess('src/cli/inbox.ts', args, database.env);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(wanted);
  });

  test('creates no database where there is none', async () => {
    const nowhere = { ...database, env: { DATA_DIR: join(database.dataDir, 'nowhere') } };
    const { code, err } = await runInbox(nowhere, ['list']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^error: no database found at .*nowhere.*DATA_DIR; npm start.*\n$/),
    ]);
    expect(existsSync(nowhere.env.DATA_DIR)).toBe(false);
  });
});

test.each(['inbox', 'newsletter', 'privacy', 'backup', 'restore', 'check-launch'])(
  'npm run %s prints help for itself and each subcommand, with an example',
  async name => {
    const run = (...args: string[]) => runCommand(`src/cli/${name}.ts`, args, {});
    const { code, out } = await run('--help');
    expect([code, out]).toEqual([0, expect.stringMatching(`^Usage: npm run ${name} -- `)]);
    const verbs = listVerbs(out);
    for (const help of [
      out,
      ...(await Promise.all(verbs.map(verb => run(verb, '--help')))).map(({ out }) => out),
    ]) {
      expect(help).toMatch(/\n {2}-h, --help .*\n\nExamples:\n {2}npm run .*\n$/s);
      expect(help.split('\n').filter(line => line.length > 80)).toEqual([]);
    }
  },
);

describe('npm run worker', () => {
  test('delivers what servers with OUTBOX=separate only store', async () => {
    const [, postgres] = databases;
    const database = await (postgres as (typeof databases)[number]).create();
    await using sheet = await createSheetService();
    await using smtp = await createSmtpServer();
    await using copy = copyProject();
    const env = {
      ...database.env,
      SHEET_URL: sheet.url,
      SMTP_URL: smtp.url,
      NOTIFY_EMAIL: 'office@example.com',
    };
    const server = copy.start({ ...env, OUTBOX: 'separate' });
    const address = await server.address();
    const answer = await fetch(`${address}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Hello' }),
    });
    const { reference } = (await answer.json()) as { reference: string };
    const worker = copy.start(env, { script: 'src/cli/worker.ts' });
    await expect.poll(() => sheet.rows.length + smtp.mails.length, { timeout: 30_000 }).toBe(2);
    expect(sheet.rows[0]?.Reference).toBe(reference);
    expect(server.output()).not.toContain('delivered');
    for (const { child } of [server, worker]) child.kill('SIGTERM');
    expect(await Promise.all([server.ended, worker.ended])).toEqual([0, 0]);
    await database.remove();
  });

  test('explains that it needs PostgreSQL', async () => {
    await using copy = copyProject();
    const worker = copy.start({}, { script: 'src/cli/worker.ts' });
    expect(await worker.ended).toBe(1);
    expect(worker.output().trim().split('\n')).toEqual([expect.stringContaining('set DATABASE_URL')]);
  });
});

function runInbox({ env }: Pick<TestDatabase, 'env'>, args: string[]): Promise<CommandResult> {
  return runCommand('src/cli/inbox.ts', args, env);
}
