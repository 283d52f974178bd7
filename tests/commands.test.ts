import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { runCommand, runProcess } from './harness/command.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, testConfig, wireSite } from './harness/site.ts';

vi.setConfig({ testTimeout: 60_000 });

describe.each(databaseUnderTest)('npm run inbox on $name', async ({ create }) => {
  const quarantined = newMessage({ state: 'quarantined', quarantine_reason: 'flood' });
  const failed = newMessage({ receivers: ['sheet', 'mail'] });
  const waiting = newMessage({ receivers: ['mail'] });

  const database = await create();
  await using site = await wireSite(testConfig(database.env), collectLog());
  for (const message of [quarantined, failed, waiting]) await site.store.messages.add(message);
  await database.query(
    `update deliveries set state = 'failed', attempts = 10, last_failure = 'answered 500'
     where reference = '${failed.reference}' and receiver = 'sheet'`,
  );
  const now = '2026-01-02T03:04:05.678Z';
  await site.store.receivers.pause('mail', 'answered 535 to the login', now);
  afterAll(() => database.remove());

  const inbox = (...args: string[]) => runCommand('src/apps/cli/inbox.ts', args, database.env);

  test('lists messages in one state, and is readable while settings of receivers are wrong', async () => {
    // As a process, to see that it ends by itself: an open connection would keep it running.
    const args = ['list', '--state', 'quarantined'];
    const wrong = { ...database.env, SHEET_URL: 'ftp://x', PORT: 'x' };
    const { out, err } = await runProcess('src/apps/cli/inbox.ts', args, wrong);
    expect(err).toMatch(/^Warning: PORT .*\nWarning: SHEET_URL .*\n$/);
    const { reference, received_at } = quarantined;
    expect(out.trim().split('\n')).toEqual([
      expect.any(String),
      expect.stringMatching(`${reference}\t${received_at}\tquarantined \\(flood\\)\t`),
    ]);
    expect((await inbox('list', '--state', 'spam', '--service', 'data')).err).toMatch(
      /^No messages found\n.*match the name in the form exactly\.\n$/,
    );
    const deleted = await runCommand('src/apps/cli/inbox.ts', ['delete', failed.reference, '--yes'], wrong);
    expect([deleted.code, deleted.err]).toEqual([
      1,
      expect.stringMatching(/^Error: invalid .*\n( {2}.*\n)* {2}SHEET_URL /),
    ]);
  });

  test('lists deliveries with paused receivers, and tries them again', async () => {
    const { out, err } = await inbox('deliveries', '--failed');
    const [, line, ...rest] = out.trim().split('\n');
    expect(line?.split('\t')).toEqual([failed.reference, 'sheet', 'failed', '10', '', '', 'answered 500']);
    expect(rest).toEqual([]);
    expect(err).toContain(
      'Receiver mail has been paused since 2026-01-02T03:04:05.678Z: answered 535 to the login.',
    );
    // A mistyped or empty reference changes nothing.
    expect(await inbox('retry', '')).toMatchObject({ code: 2 });
    expect((await inbox('retry', 'NOSUC-HHERE')).err).toBe(
      'Error: no failed or waiting deliveries of NOSUC-HHERE\n',
    );
    expect(JSON.parse((await inbox('retry', '--waiting', '--to', 'mail', '--json')).out)).toEqual({
      retried: 2,
      resumed: ['mail'],
    });
    expect((await inbox('retry', failed.reference.toLowerCase())).err).toContain('2 deliveries due now');
    expect((await inbox('deliveries', '--failed')).err).toContain('No failed deliveries');
  });

  test('releases from quarantine once, and marks spam, whose deliveries are cancelled', async () => {
    const unasked = await inbox('release', '--reason', 'flood');
    expect(unasked).toMatchObject({ code: 1, out: '' });
    expect(unasked.err).toMatch(/^1 message in quarantine .*\nError: Nothing was released: .*--yes.*\n$/);
    const both = [quarantined.reference.toLowerCase(), 'NOSUC-HHERE'];
    expect(await inbox('release', ...both)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^Error: no message .* NOSUC-HHERE\n.* released; its deliveries are queued\n$/,
      ),
    });
    expect((await inbox('release', quarantined.reference)).err).toBe(
      `Error: ${quarantined.reference} is not in quarantine or spam; its state is new\n`,
    );
    const marked = await inbox('mark-spam', ...both, '--json');
    expect([marked.code, JSON.parse(marked.out)]).toEqual([1, { marked: [quarantined.reference] }]);
    const { state, deliveries } = JSON.parse((await inbox('show', quarantined.reference, '--json')).out);
    expect([state, deliveries[0].state, deliveries[1].state]).toEqual(['spam', 'cancelled', 'cancelled']);
  });

  test('answers, notes, closes, reopens and deletes messages', async () => {
    const { reference } = failed;
    const state = async () => JSON.parse((await inbox('show', reference, '--json')).out).state;
    expect(await inbox('answer', reference.toLowerCase(), '--note', 'Offer sent')).toMatchObject({
      code: 0,
      err: expect.stringContaining(
        `Reply to: mailto:zoe@example.com?subject=Re%3A%20your%20message%20${reference}\n`,
      ),
    });
    expect((await inbox('answer', reference)).err).toBe(`Error: ${reference} is already answered\n`);
    expect((await inbox('note', reference, 'Called', '\x1b[31mback')).code).toBe(0);
    expect(await inbox('note', reference, ' ')).toMatchObject({ code: 2 });
    expect((await inbox('show', reference)).out).toMatch(
      /State {6}answered\nAnswered {3}\d{4}-.*\n[\s\S]*\nNotes\n.*\n {4}│ Offer sent\n.*\n {4}│ Called {2}\[31mback\n/,
    );
    const closed = await inbox('close', reference, 'NOSUC-HHERE', '--json');
    expect([closed.code, JSON.parse(closed.out)]).toEqual([1, { closed: [reference] }]);
    expect([(await inbox('reopen', reference)).code, await state()]).toEqual([0, 'new']);

    expect((await inbox('delete', reference)).err).toContain('Nothing was deleted: not a terminal');
    expect(await inbox('delete', reference, 'NOSUC-HHERE', '--yes')).toMatchObject({ code: 1 });
    expect(await state()).toBe('new');
    expect(await inbox('delete', reference, '--yes')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Deleted: 1 message/),
    });
    for (const table of ['messages', 'notes', 'deliveries'])
      expect(await database.query(`select 1 from ${table} where reference = '${reference}'`)).toEqual([]);
    // An audit entry makes a backup that is restored later delete it again.
    expect(await database.query('select action from audit')).toEqual([{ action: 'erase-message' }]);
  });

  /** A message that tries to harm its reader. */
  const hostile = newMessage({
    received_at: '2030-01-01T00:00:00.000Z',
    name: '=HYPERLINK("http://example.com")',
    email: '+1@example.com',
    message: `Ünïque\x1b[2J\x1b]0;owned\x07\u202ewords\u2066\r\nState      new\tlate;=1+1`,
    receivers: ['sheet'],
  });

  test('lists messages in pages, and shows each attempt; no message can imitate output of the command', async () => {
    const { reference, received_at } = hostile;
    const older = ['M0000-00001', 'M0000-00002', 'M0000-00003'];
    await using site = await wireSite(testConfig(database.env), collectLog());
    await site.store.messages.add(hostile);
    await database.query(`insert into attempts (reference, receiver, number, ended_at, state, reason)
      values ('${reference}', 'sheet', 1, '${received_at}', 'failed', 'answered 503')`);
    for (const one of older)
      await site.store.messages.add(newMessage({ reference: one, received_at: '2026-05-01T00:00:00.000Z' }));
    const first = await inbox('list', '--limit', '2', '--since', '2026-03-01', '--state', 'new');
    const lines = first.out.trim().split('\n');
    expect(lines.map(line => line.split('\t')[0])).toEqual(['reference', reference, older[2]]);
    expect(first.out.replaceAll(/[\t\n]/g, '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    const [, next = ''] = /Next page: (--before .*)\n/.exec(first.err) ?? [];
    const second = JSON.parse((await inbox('list', '--limit', '1', ...next.split(' '), '--json')).out);
    expect(second).toMatchObject({ isTotalExact: true, next: older[1], messages: [{ reference: older[1] }] });
    expect(await inbox('list', '--before', 'NOSUC-HHERE')).toMatchObject({ code: 1, out: '' });

    const { out } = await inbox('show', reference);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(out.split('\n').filter(line => line.startsWith('State'))).toHaveLength(1);
    expect(out).toMatch(
      /sheet {4}waiting, due .*\n {4}1\. 2030-01-01T00:00:00\.000Z {2}failed: answered 503/,
    );
    expect(await inbox('show', 'NOSUC-HHERE')).toMatchObject({ code: 1, out: '' });
  });

  test('exports what a search finds, formulas escaped', async () => {
    const [csv, json] = [join(database.dataDir, 'out.csv'), join(database.dataDir, 'out.json')];
    expect(await inbox('export', '--csv', csv)).toMatchObject({ code: 0, out: '' });
    const records: Record<string, string>[] = parse(readFileSync(csv), { bom: true, columns: true });
    expect(records.find(({ Reference }) => Reference === hostile.reference)).toMatchObject({
      ...{ Name: `'${hostile.name}`, Email: `'${hostile.email}` },
      Message: expect.stringContaining("late;'=1+1"),
    });
    expect(statSync(csv).mode & 0o777).toBe(0o600);
    expect(await inbox('export', '--csv', csv)).toMatchObject({ code: 1, out: '' });
    expect((await inbox('export', '--json', json, '--search', 'WORDS unique')).err).toContain(
      '1 message exported to',
    );
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject([{ message: hostile.message }]);
    expect(JSON.parse((await inbox('export', '--json', '-', '--state', 'closed')).out)).toEqual([]);
  });
});

test('npm run inbox names the help, and creates no database where there is none', async () => {
  const DATA_DIR = join(tmpdir(), 'wardhouse-nowhere');
  const run = (...args: string[]) => runCommand('src/apps/cli/inbox.ts', args, { DATA_DIR });
  expect(await run()).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^Usage: npm run inbox -- /),
  });
  expect(await run('deliveries', '--to', 'fax')).toMatchObject({
    ...{ code: 2, out: '', err: expect.stringMatching(/^Error: .*'fax' is invalid\. .*\nHelp: .*\n$/) },
  });
  const { code, err } = await run('list');
  expect(code).toBe(1);
  expect(err).toMatch(/^Error: no database found at .*nowhere.*DATA_DIR; npm start.*\n$/);
  expect(existsSync(DATA_DIR)).toBe(false);
});
