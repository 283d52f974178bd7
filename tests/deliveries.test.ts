import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { wire } from '../src/server/wire.ts';
import { createHttpService } from './fakes/http-service.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { databases, databaseUnderTest } from './harness/databases.ts';
import { copyProject } from './harness/process.ts';
import { collectLog, testConfig, withTrustedClock } from './harness/site.ts';

const words = { name: 'Zoë', email: 'zoe@example.com', message: '=1+2\nHello', service: 'audit' };
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The company's outside services, and the settings that name them. */
async function startServices() {
  const sheet = await createSheetService();
  const smtp = await createSmtpServer();
  const hook = await createHttpService(() => ({ status: 204 }));
  const env = {
    SHEET_URL: sheet.url,
    SHEET_RATE: '1000',
    SHEET_LOOKUP_URL: `${sheet.url}rows/{reference}`,
    SMTP_URL: smtp.url,
    NOTIFY_EMAIL: 'office@example.com',
    MAIL_RATE: '1000',
    WEBHOOK_URL: hook.url,
    WEBHOOK_SECRET: secret,
    WEBHOOK_RATE: '100',
  };
  const stack = new AsyncDisposableStack();
  for (const service of [sheet, smtp, hook]) stack.use(service);
  return { sheet, smtp, hook, env, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

function post(body: object): Request {
  return new Request('http://site.example/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe.each(databaseUnderTest)('a message on $name', ({ create }) => {
  test('is delivered to sheet, mailbox and webhook after the response', async () => {
    await using services = await startServices();
    const database = await create();
    const { log } = collectLog();
    const site = await wire(testConfig({ ...database.env, ...services.env }), { log });
    await site.worker.start();
    services.sheet.script([{ kind: 'hang' }]);

    const response = await site.app.fetch(post(words));
    const { reference } = (await response.json()) as { reference: string };
    await expect.poll(() => services.smtp.mails.length).toBe(1);
    await expect.poll(() => services.hook.requests.length).toBe(1);
    expect(services.smtp.mails[0]?.header('Message-ID')).toContain(reference);
    expect(services.hook.requests[0]?.headers['webhook-id']).toBe(reference);
    expect(JSON.parse(services.hook.requests[0]?.body ?? '')).toMatchObject({ data: words });
    expect(services.sheet.rows).toEqual([]);
    await expect.poll(() => site.store.outbox.count({ reference, states: ['delivered'] })).toBe(2);
    await site[Symbol.asyncDispose]();

    // The process that waited for the sheet is gone; the next one asks the sheet first, and finds nothing there.
    const moved = { now: () => new Date(Date.now() + 60_000) };
    const next = await wire(testConfig({ ...database.env, ...services.env }), {
      log,
      ...withTrustedClock(moved),
    });
    await next.worker.start();
    await expect.poll(() => services.sheet.rows.length).toBe(1);
    expect(services.sheet.rows[0]).toMatchObject({ Reference: reference, Message: "'=1+2\nHello" });
    await expect.poll(() => next.store.outbox.count({ reference, states: ['delivered'] })).toBe(3);
    expect(services.smtp.mails.length).toBe(1);
    await next[Symbol.asyncDispose]();
    await database.remove();
  });

  test('is in messages.csv once after its owner saved the file in another format, with the earlier rows', async () => {
    const database = await create();
    await using site = await wire(testConfig({ ...database.env }), collectLog());
    await site.worker.start();
    const send = async () => {
      const { reference } = (await (await site.app.fetch(post(words))).json()) as { reference: string };
      const settled = { reference, receiver: 'sheet', states: ['delivered'] } as const;
      await expect.poll(() => site.store.outbox.count(settled)).toBe(1);
      return reference;
    };
    const first = await send();
    const path = join(database.dataDir, 'messages.csv');
    writeFileSync(path, `Reference;Note\n${first};called back\n`);
    const second = await send();
    const rows: Record<string, string>[] = parse(readFileSync(path), { bom: true, columns: true });
    expect(rows.map(row => [row.Reference, row.Message])).toEqual([
      [first, "'=1+2\nHello"],
      [second, "'=1+2\nHello"],
    ]);
    const backupFiles = readdirSync(database.dataDir).filter(name => name.startsWith('messages-'));
    expect(readFileSync(join(database.dataDir, backupFiles[0] ?? ''), 'utf8')).toContain('called back');
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  test('that the sheet stored without a response is not written twice', async () => {
    await using services = await startServices();
    const database = await create();
    const { log } = collectLog();
    let ahead = 0;
    const clock = { now: () => new Date(Date.now() + ahead) };
    await using site = await wire(testConfig({ ...database.env, ...services.env }), {
      log,
      ...withTrustedClock(clock),
    });
    await site.worker.start();
    services.sheet.script([{ kind: 'reset', isDone: true }]);
    const response = await site.app.fetch(post(words));
    const { reference } = (await response.json()) as { reference: string };
    await expect.poll(() => services.sheet.rows.length).toBe(1);
    await expect
      .poll(() => site.store.outbox.list({ reference, receiver: 'sheet' }, 1))
      .toMatchObject([{ state: 'waiting', is_ambiguous: 1, attempts: 1 }]);
    ahead = 10_000;
    site.worker.wake();
    await expect.poll(() => site.store.outbox.count({ reference, states: ['delivered'] })).toBe(3);
    expect(services.sheet.rows.length).toBe(1);
    await database.remove();
  });
});

test('two processes on PostgreSQL: 96 messages, none lost and none delivered twice', {
  timeout: 90_000,
}, async () => {
  const [, postgres] = databases;
  if (!postgres) throw new Error('there is no PostgreSQL');
  const database = await postgres.create();
  await using sheet = await createSheetService();
  await using smtp = await createSmtpServer();
  await using copy = copyProject();
  const env = {
    ...database.env,
    SHEET_URL: sheet.url,
    SHEET_SHAPE: 'records',
    SHEET_UPSERT: 'airtable',
    SHEET_RATE: '1000',
    SMTP_URL: smtp.url,
    NOTIFY_EMAIL: 'office@example.com',
    LOG_LEVEL: 'warn',
  };
  const servers = [copy.start({ ...env, LOG_LEVEL: 'info' }), copy.start({ ...env, LOG_LEVEL: 'info' })];
  const addresses = await Promise.all(servers.map(server => server.address()));

  const references: string[] = [];
  const clients = Array.from({ length: 16 }, async (_, client) => {
    for (let index = 0; index < 6; index += 1) {
      const response = await fetch(`${addresses[client % 2]}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...words, message: `message ${client}-${index}` }),
      });
      expect(response.status).toBe(200);
      references.push(((await response.json()) as { reference: string }).reference);
    }
  });
  await Promise.all(clients);
  await expect.poll(() => sheet.rows.length, { timeout: 60_000 }).toBe(96);

  const delivered = sheet.rows.map(row => row.Reference);
  expect(new Set(delivered)).toEqual(new Set(references));
  // Not even sent twice: each message was one process's alone.
  expect(sheet.requests.length).toBe(96);
  for (const { child } of servers) child.kill('SIGTERM');
  expect(await Promise.all(servers.map(({ ended }) => ended))).toEqual([0, 0]);
  await database.remove();
});
