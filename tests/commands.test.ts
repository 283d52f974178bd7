import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { wire } from '../src/server/wire.ts';
import { fakeReport } from './fakes/audit-runner.ts';
import { listVerbs, runCommand, runProcess } from './harness/command.ts';
import { databaseUnderTest, type TestDatabase } from './harness/databases.ts';
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
    const refusal = { receiver: 'webhook', reason: 'answered 403: refused', now, failureThreshold: 3 };
    for (const _ of [1, 2, 3]) await site.store.receivers.countRefusal(refusal);
  });
  afterAll(() => database.remove());

  const inbox = (...args: string[]) => runCommand('src/cli/inbox.ts', args, database.env);

  test('lists messages, and those in one state', async () => {
    // As a process, to see that it ends by itself: an open connection would keep it running.
    const { out } = await runProcess('src/cli/inbox.ts', ['list', '--state', 'quarantined'], database.env);
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(2);
    const { reference, received_at } = quarantined;
    expect(lines[1]).toMatch(`${reference}\t${received_at}\tquarantined (flood)\t`);
    expect(JSON.parse((await inbox('list', '--json', '--limit', '2')).out)).toMatchObject({ total: 3 });
    expect((await inbox('list', '--state', 'spam', '--service', 'data')).err).toMatch(
      /^No messages found\n.*match the name in the form exactly\.\n$/,
    );
  });

  test.each([
    [
      ['list', '--json'],
      { SHEET_URL: 'ftp://x', PORT: 'x' },
      0,
      /^Warning: PORT .*\nWarning: SHEET_URL .*\n$/,
    ],
    [
      ['note', waiting.reference, 'Called'],
      { SMTP_URL: 'http://x' },
      0,
      /^(Warning: SMTP_URL .*\n){2}Note added/,
    ],
    [
      ['delete', failed.reference, '--yes'],
      { WEBHOOK_URL: 'ftp://x' },
      1,
      /^Error: invalid .*\n {2}WEBHOOK_URL /,
    ],
    [
      ['list'],
      { DATABASE_URL: 'mysql://x', SMTP_URL: 'http://x' },
      1,
      /^Error: invalid .*\n {2}DATABASE_URL .*\n$/,
    ],
  ])('%j with the settings %j exits with %d', async (args, wrong, code, wanted) => {
    const result = await runCommand('src/cli/inbox.ts', args, { ...database.env, ...wrong });
    expect([result.code, result.err]).toEqual([code, expect.stringMatching(wanted)]);
  });

  test('lists failed and waiting deliveries, the paused and the failing receiver', async () => {
    const { code, out, err } = await inbox('deliveries', '--failed');
    expect(code).toBe(0);
    const [, line, ...rest] = out.trim().split('\n');
    expect(line?.split('\t')).toEqual([failed.reference, 'sheet', 'failed', '10', '', '', 'answered 500']);
    expect(rest).toEqual([]);
    expect(err).toContain(
      'Receiver mail has been paused since 2026-01-02T03:04:05.678Z: answered 535 to the login.',
    );
    expect(err).toMatch(/webhook .*failing since 2026-01-02T03:04:05\.678Z.* 3 .*answered 403: refused/);
    const { total, deliveries, failing } = JSON.parse(
      (await inbox('deliveries', '--waiting', '--json', '--limit', '1')).out,
    );
    expect([total, deliveries.length, failing]).toMatchObject([2, 1, [{ name: 'webhook' }]]);
  });

  test('retries failed deliveries, and resumes a paused receiver', async () => {
    // A mistyped or empty reference changes nothing.
    expect(await inbox('retry', '')).toMatchObject({ code: 2 });
    expect((await inbox('retry', 'NOSUC-HHERE')).err).toBe(
      'Error: no failed or waiting deliveries of NOSUC-HHERE\n',
    );
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
      err: `Error: ${quarantined.reference} is not in quarantine or spam; its state is new\n`,
    });
    expect((await inbox('release', 'NOSUC-HHERE')).err).toBe(
      'Error: no message with the reference NOSUC-HHERE\n',
    );
  });

  test('marks spam, whose deliveries are cancelled until it is released', async () => {
    const both = [waiting.reference.toLowerCase(), 'NOSUC-HHERE'];
    const { code, out, err } = await inbox('mark-spam', ...both, '--json');
    expect([code, JSON.parse(out), err]).toEqual([
      1,
      { marked: [waiting.reference] },
      'Error: no message with the reference NOSUC-HHERE\n',
    ]);
    const { state, deliveries } = JSON.parse((await inbox('show', waiting.reference, '--json')).out);
    expect([state, deliveries[0].state]).toEqual(['spam', 'cancelled']);
    expect((await inbox('release', waiting.reference)).code).toBe(0);
    expect((await inbox('show', waiting.reference)).out).toMatch(/State {6}new\n[\s\S]*mail {5}waiting, due/);
  });

  test('answers, notes, closes, reopens and deletes messages', async () => {
    const { reference } = failed;
    const state = async () => JSON.parse((await inbox('show', reference, '--json')).out).state;
    const answered = await inbox('answer', reference.toLowerCase(), '--note', 'Offer sent');
    expect([answered.code, answered.err]).toEqual([
      0,
      expect.stringContaining(
        `Reply to: mailto:zoe@example.com?subject=Re%3A%20your%20message%20${reference}\n`,
      ),
    ]);
    expect(await inbox('answer', reference)).toMatchObject({
      code: 1,
      err: `Error: ${reference} is already answered\n`,
    });
    expect((await inbox('note', reference, 'Called', '\x1b[31mback')).code).toBe(0);
    expect(await inbox('note', reference, ' ')).toMatchObject({ code: 2 });
    expect((await inbox('show', reference)).out).toMatch(
      /State {6}answered\nAnswered {3}\d{4}-.*\n[\s\S]*\nNotes\n.*\n {4}│ Offer sent\n.*\n {4}│ Called {2}\[31mback\n/,
    );
    const closed = await inbox('close', reference, 'NOSUC-HHERE', '--json');
    expect([closed.code, JSON.parse(closed.out)]).toEqual([1, { closed: [reference] }]);
    expect((await inbox('list', '--state', 'closed')).out.split('\n')[1]).toMatch(reference);
    const csv = parse((await inbox('export', '--csv', '-', '--state', 'closed')).out, {
      columns: true,
      bom: true,
    });
    expect(csv).toMatchObject([{ Reference: reference, Notes: expect.stringContaining(': Offer sent\n') }]);
    expect([(await inbox('reopen', reference)).code, await state()]).toEqual([0, 'new']);

    expect((await inbox('delete', reference)).err).toContain('Nothing was deleted: not a terminal');
    expect(await inbox('delete', reference, 'NOSUC-HHERE', '--yes')).toMatchObject({ code: 1 });
    expect(await state()).toBe('new');
    const deleted = await inbox('delete', reference, '--yes');
    expect([deleted.code, deleted.err]).toEqual([0, expect.stringMatching(/^Deleted: 1 message/)]);
    for (const table of ['messages', 'notes', 'deliveries'])
      expect(await database.query(`select 1 from ${table} where reference = '${reference}'`)).toEqual([]);
    // An audit entry makes a backup that is restored later delete it again.
    expect(await database.query('select action from audit')).toEqual([{ action: 'erase-message' }]);
  });

  test('releases quarantined messages by reason and time, after a count and --yes', async () => {
    await using site = await wire(testConfig(database.env), collectLog());
    const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;
    const add = async (quarantine_reason: string, minute: number) => {
      const message = newMessage({ state: 'quarantined', quarantine_reason, received_at: at(minute) });
      await site.store.messages.add(message);
      return message.reference;
    };
    const floods = [await add('flood, fast', 1), await add('flood, fast', 3), await add('flood, fast', 5)];
    const other = await add('honeypot, honeypot text', 5);
    const states = async () => {
      const rows = await Promise.all([...floods, other].map(site.store.messages.get));
      return rows.map(row => row?.state);
    };
    const unasked = await inbox('release', '--reason', 'flood');
    expect(unasked).toMatchObject({ code: 1, out: '' });
    expect(unasked.err).toMatch(/^3 messages in quarantine .*\nError: Nothing was released: .*--yes.*\n$/);
    const since = ['release', '--reason', 'flood', '--since', at(3), '--yes'];
    expect((await inbox(...since)).err).toBe('2 messages released; their deliveries are queued\n');
    expect(await states()).toEqual(['quarantined', 'new', 'new', 'quarantined']);
    for (const option of ['--reason=floods', '--since=1d', '--yes'])
      expect([option, (await inbox('release', option)).code]).toEqual([option, 2]);
  });

  /** A message that tries to harm its reader, the newest of five. */
  const hostile = newMessage({
    received_at: '2030-01-01T00:00:00.000Z',
    name: '=HYPERLINK("http://example.com")',
    email: '+1@example.com',
    service: 'Répairs',
    message: `Ünïque\x1b[2J\x1b]0;owned\x07\u202ewords\u2066\r\nState      new\tlate;=1+1`,
  });

  test('lists messages in pages with the option for the next', async () => {
    await using site = await wire(testConfig(database.env), collectLog());
    await site.store.messages.add({ ...hostile, receivers: ['sheet'] });
    const { reference, received_at } = hostile;
    await database.query(`update deliveries set state = 'failed', settled_at = '${received_at}'
      where reference = '${reference}'`);
    await database.query(`insert into attempts (reference, receiver, number, ended_at, state, reason)
      values ('${reference}', 'sheet', 1, '${received_at}', 'failed', 'answered 503')`);
    const [one, two, three, four] = ['1', '2', '3', '4'].map(digit => `M0000-0000${digit}`);
    for (const older of [one, two, three, four])
      await site.store.messages.add(
        newMessage({ reference: older as string, received_at: '2026-05-01T00:00:00.000Z', name: 'Müller' }),
      );
    const first = await inbox('list', '--limit', '2', '--since', '2026-03-01', '--state', 'new');
    const lines = first.out.trim().split('\n');
    expect(lines.map(line => line.split('\t')[0])).toEqual(['reference', hostile.reference, four]);
    const [, next = ''] = /Next page: (--before .*)\n/.exec(first.err) ?? [];
    expect(first.out.replaceAll(/[\t\n]/g, '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);

    const second = JSON.parse((await inbox('list', '--limit', '2', ...next.split(' '), '--json')).out);
    expect(second).toMatchObject({
      ...{ isTotalExact: true, next: two },
      messages: [{ reference: three }, { reference: two }],
    });
    expect(await inbox('list', '--before', 'NOSUC-HHERE')).toMatchObject({ code: 1, out: '' });
  });

  test('searches them without regard to case and accents', async () => {
    const { out } = await inbox('list', '--search', 'WORDS unique REPAIRS', '--json');
    expect(JSON.parse(out)).toMatchObject({ total: 1, isTotalExact: true, next: null });
    expect(JSON.parse(out).messages).toMatchObject([
      { reference: hostile.reference, message: hostile.message },
    ]);
    const some = await inbox('list', '--search', 'muller', '--limit', '3');
    expect(some.err).toMatch(/^Showing 3; there are more\. .* --before M0000-00002\n$/);
  });

  test('shows a message with each attempt, which cannot imitate output of the command', async () => {
    const { out } = await inbox('show', hostile.reference);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(out.split('\n').filter(line => line.startsWith('State'))).toHaveLength(1);
    expect(out).toContain(
      `sheet    failed, ${hostile.received_at}\n    1. ${hostile.received_at}  failed: answered 503`,
    );
    expect(await inbox('show', 'NOSUC-HHERE')).toMatchObject({ code: 1, out: '' });
  });

  test('shows the audit report that a message is about, until it is erased', async () => {
    await using site = await wire(testConfig(database.env), collectLog());
    const { domain, measuredAt, ...found } = fakeReport('example.com', new Date('2026-01-02T03:04:05Z'));
    const results = found.results.map(one => ({ ...one, check: `mail-${one.check}` }));
    const report = JSON.stringify({ domain, measuredAt, ...found, results, first: ['mail-dmarc'] });
    await site.store.audits.add({ id: 'r1', domain, measured_at: measuredAt, report });
    const { reference } = await site.store.messages.add(newMessage({ audit_report: 'r1' }));
    expect((await inbox('show', reference)).out).toMatch(
      /\nAudit report\n {2}example\.com: grade E, 50 of 100 points, measured 2026-01-02 03:04 UTC\n {2}To do first: .*DMARC.*\n {2}missing +.*DMARC.*\n {2}1 of 2 checks passed; with their evidence: npm run inbox -- show \S+ --json\n$/,
    );
    expect(JSON.parse((await inbox('show', reference, '--json')).out).report).toMatchObject({ domain });
    await database.query('delete from audit_reports');
    expect((await inbox('show', reference)).out).toMatch(/\nAudit report\n {2}Erased: [^\n]+\n$/);
    expect((await inbox('show', waiting.reference)).out).not.toContain('Audit report');
    await database.query(`delete from messages where reference = '${reference}'`);
  });

  test('exports all of them, formulas escaped', async () => {
    const [csv, json] = [join(database.dataDir, 'out.csv'), join(database.dataDir, 'out.json')];
    expect(await inbox('export', '--csv', csv)).toMatchObject({ code: 0, out: '' });
    const records: Record<string, string>[] = parse(readFileSync(csv), { bom: true, columns: true });
    expect(records.filter(({ Reference }) => Reference?.startsWith('M0000-'))).toHaveLength(4);
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
});

test.each([
  [[], /^Usage: npm run inbox -- /],
  [
    ['deliveries', '--to', 'fax'],
    /^Error: .*'fax' is invalid\. .* sheet, mail, webhook, acknowledgements\.\nHelp: .*\n$/,
  ],
])('npm run inbox rejects %j and names the help', async (args, wanted) => {
  const { code, out, err } = await runCommand('src/cli/inbox.ts', args, {});
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(wanted);
});

test('npm run inbox creates no database where there is none', async () => {
  const DATA_DIR = join(tmpdir(), 'wardhouse-nowhere');
  const { code, err } = await runCommand('src/cli/inbox.ts', ['list'], { DATA_DIR });
  expect(code).toBe(1);
  expect(err).toMatch(/^Error: no database found at .*nowhere.*DATA_DIR; npm start.*\n$/);
  expect(existsSync(DATA_DIR)).toBe(false);
});

test.each(['inbox', 'newsletter', 'privacy', 'backup', 'restore', 'check-launch', 'audit'])(
  'npm run %s prints help for itself and each subcommand, with an example',
  async name => {
    const run = (...args: string[]) => runCommand(`src/cli/${name}.ts`, args, {});
    const { code, out } = await run('--help');
    expect([code, out]).toEqual([0, expect.stringMatching(`^Usage: npm run ${name} -- `)]);
    for (const verb of ['', ...listVerbs(out)]) {
      const help = verb ? (await run(verb, '--help')).out : out;
      expect(help).toMatch(/\n {2}-h, --help .*\n\nExamples:\n {2}npm run .*\n$/s);
    }
  },
);
