import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { wire } from '../src/server/wire.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { runCommand, type Said } from './harness/command.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { newMessage } from './harness/messages.ts';
import { copyProject } from './harness/process.ts';
import { collectLog, testConfig } from './harness/site.ts';

// Each of these starts a few processes.
vi.setConfig({ testTimeout: 60_000 });

describe.each(databases)('npm run inbox on $name', ({ create }) => {
  let database: TestDatabase;
  const quarantined = newMessage({ state: 'quarantined', quarantine_reason: 'flood' });
  const dead = newMessage({ receivers: ['sheet', 'mail'] });
  const waiting = newMessage({ receivers: ['mail'] });

  beforeAll(async () => {
    database = await create();
    await using site = await wire(testConfig(database.env), collectLog());
    for (const message of [quarantined, dead, waiting]) await site.store.messages.add(message);
    await database.query(
      `update deliveries set state = 'dead', attempts = 10, last_failure = 'answered 500'
       where reference = '${dead.reference}' and receiver = 'sheet'`,
    );
    await site.store.outbox.pause('mail', 'answered 535 to the login', '2026-01-02T03:04:05.678Z');
  });
  afterAll(() => database.remove());

  const inbox = (...args: string[]) => runInbox(database, args);

  test('lists messages, and those in one state', async () => {
    const { out } = await inbox('list', '--state', 'quarantined');
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]?.split('\t').slice(0, 3)).toEqual([
      quarantined.reference,
      quarantined.received_at,
      'quarantined (flood)',
    ]);
    expect(JSON.parse((await inbox('list', '--json', '--limit', '2')).out)).toMatchObject({ total: 3 });
    expect((await inbox('list', '--state', 'spam')).err).toBe('There is nothing to show.\n');
  });

  test('shows what was given up and what waits, and which receiver is paused', async () => {
    const { code, out, err } = await inbox('deliveries', '--dead');
    expect(code).toBe(0);
    const [head, line, ...rest] = out.trim().split('\n');
    expect(head?.split('\t').slice(0, 3)).toEqual(['reference', 'receiver', 'state']);
    expect(line?.split('\t')).toEqual([dead.reference, 'sheet', 'dead', '10', '', '', 'answered 500']);
    expect(rest).toEqual([]);
    expect(err).toContain(
      'The mail has been paused since 2026-01-02T03:04:05.678Z: answered 535 to the login.',
    );

    const { total, deliveries } = JSON.parse(
      (await inbox('deliveries', '--waiting', '--json', '--limit', '1')).out,
    );
    expect([total, deliveries.length]).toEqual([2, 1]);
  });

  test('sends again what was given up, and lets a paused receiver go on', async () => {
    // A slip of the pen changes nothing.
    expect((await inbox('retry', 'NOSUC-HHERE')).err).toBe('Nothing of NOSUC-HHERE waits or was given up.\n');
    expect((await inbox('deliveries', '--dead')).err).toContain('paused');
    expect(JSON.parse((await inbox('retry', '--waiting', '--to', 'mail', '--json')).out)).toEqual({
      retried: 2,
      resumed: ['mail'],
    });
    expect((await inbox('deliveries', '--dead')).err).not.toContain('paused');
    expect((await inbox('retry', dead.reference.toLowerCase())).err).toContain('2 deliveries are due now');
    expect((await inbox('deliveries', '--dead')).err).toContain('None was given up.');
    expect(await inbox('retry', quarantined.reference)).toMatchObject({ code: 1 });
  });

  test('lets a message out of quarantine once, and on its way', async () => {
    expect((await inbox('release', quarantined.reference)).err).toContain('out of quarantine');
    const { out } = await inbox('deliveries', '--waiting');
    expect(out.split('\n').filter(line => line.startsWith(quarantined.reference))).toHaveLength(2);
    expect(await inbox('release', quarantined.reference)).toMatchObject({
      code: 1,
      err: `${quarantined.reference} is not in quarantine: it is new.\n`,
    });
    expect((await inbox('release', 'NOSUC-HHERE')).err).toBe('There is no message NOSUC-HHERE.\n');
  });
});

describe('npm run inbox', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await (databases[0] as (typeof databases)[number]).create();
    await (await wire(testConfig(database.env), collectLog()))[Symbol.asyncDispose]();
  });
  afterAll(() => database.remove());

  test.each([
    [[]],
    [['forget']],
    [['retry']],
    [['retry', 'A', '--dead']],
    [['release']],
    [['deliveries', '--dead', '--waiting']],
    [['deliveries', '--limit', '0']],
    [['list', '--state', 'old']],
    [['deliveries', '--to', 'fax']],
    [['deliveries', '--colour']],
  ])('refuses %j with the way to say it', async args => {
    const { code, out, err } = await runInbox(database, args);
    expect(code).toBe(2);
    expect(out + err).toContain('npm run inbox -- VERB');
    expect(err).not.toContain('    at ');
  });

  test('makes no database where there is none', async () => {
    const nowhere = { ...database, env: { DATA_DIR: join(database.dataDir, 'nowhere') } };
    const { code, err } = await runInbox(nowhere, ['list']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^There is no database at .*nowhere.*DATA_DIR right\?\n$/),
    ]);
    expect(existsSync(nowhere.env.DATA_DIR)).toBe(false);
  });
});

describe('npm run worker', () => {
  test('delivers what servers with OUTBOX=apart only store', async () => {
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
    const server = copy.start({ ...env, OUTBOX: 'apart' });
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

  test('says why it is of no use beside the embedded database', async () => {
    await using copy = copyProject();
    const worker = copy.start({}, { script: 'src/cli/worker.ts' });
    expect(await worker.ended).toBe(1);
    expect(worker.output().trim().split('\n')).toEqual([expect.stringContaining('Set DATABASE_URL')]);
  });
});

function runInbox({ env }: Pick<TestDatabase, 'env'>, args: string[]): Promise<Said> {
  return runCommand('src/cli/inbox.ts', args, env);
}
