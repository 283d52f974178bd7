import { describe, expect, test } from 'vitest';
import { type Services, wire } from '../src/server/wire.ts';
import { createHttpService, type ReceivedRequest } from './fakes/http-service.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { runCommand } from './harness/command.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { json } from './harness/requests.ts';
import { collectLog, testConfig, withTrustedClock } from './harness/site.ts';

const words = { name: 'Zoë', email: 'zoe@example.com', message: '=1+2\nHello', service: 'audit' };
const attack = 'Our scanner found this: <script>alert(1)</script>';

/** The company's outside services, behind filters that let no message through which quotes a script. */
async function startServices() {
  const isRefused = ({ body }: ReceivedRequest) => body.includes('<script');
  const sheet = await createSheetService();
  const hook = await createHttpService(request => ({ status: isRefused(request) ? 403 : 204 }));
  const smtp = await createSmtpServer({
    refuse: ({ text }) => (text.includes('<script') ? '535 5.7.8 <script is not for us' : undefined),
  });
  const env = {
    ...{ SHEET_URL: sheet.url, SHEET_RATE: '1000', SHEET_LOOKUP_URL: `${sheet.url}rows/{reference}` },
    ...{ SMTP_URL: smtp.url, NOTIFY_EMAIL: 'office@example.com', MAIL_RATE: '1000' },
    ...{ WEBHOOK_URL: hook.url, WEBHOOK_RATE: '100' },
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  };
  const stack = new AsyncDisposableStack();
  for (const service of [sheet, smtp, hook]) stack.use(service);
  return { sheet, smtp, hook, env, isRefused, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function send({ app, worker }: Services, message = words.message): Promise<string> {
  const response = await app.fetch(json({ ...words, message }));
  worker.wake();
  return ((await response.json()) as { reference: string }).reference;
}

const delivered = (site: Services, reference: string) =>
  expect.poll(() => site.store.outbox.count({ reference, states: ['delivered'] }));

describe.each(databaseUnderTest)('a message on $name', ({ create }) => {
  test('is delivered once to sheet, mailbox and webhook, although the sheet stored it without a response', async () => {
    await using services = await startServices();
    await using database = await create();
    const { log } = collectLog();
    const config = testConfig({ ...database.env, ...services.env });
    const site = await wire(config, { log });
    await site.worker.start();
    services.sheet.script([{ kind: 'reset', isDone: true }]);
    const reference = await send(site);
    await delivered(site, reference).toBe(2);
    expect(services.smtp.mails[0]?.header('Message-ID')).toContain(reference);
    expect(services.hook.requests[0]?.headers['webhook-id']).toBe(reference);
    expect(JSON.parse(services.hook.requests[0]?.body ?? '')).toMatchObject({ data: words });
    await expect
      .poll(() => site.store.outbox.list({ reference, receiver: 'sheet' }, 1))
      .toMatchObject([{ state: 'waiting', is_ambiguous: 1, attempts: 1 }]);
    await site[Symbol.asyncDispose]();

    // The next process asks the sheet first, and finds the message there.
    const later = { now: () => new Date(Date.now() + 60_000) };
    await using next = await wire(config, { log, ...withTrustedClock(later) });
    await next.worker.start();
    await delivered(next, reference).toBe(3);
    expect(services.sheet.rows).toMatchObject([{ Reference: reference, Message: "'=1+2\nHello" }]);
    expect([services.smtp.mails.length, services.hook.requests.length]).toEqual([1, 1]);
  });

  test('that a firewall rejects delays no other, also after a restart, and is shown with the responses', async () => {
    await using services = await startServices();
    services.sheet.script(request =>
      services.isRefused(request) ? { kind: 'answer', status: 403 } : { kind: 'work' },
    );
    await using database = await create();
    const { log, lines } = collectLog();
    const env = { ...database.env, ...services.env };
    const site = await wire(testConfig(env), { log });
    await site.worker.start();
    const refused = await send(site, attack);
    for (const reference of [await send(site, 'one'), await send(site, 'two')])
      await delivered(site, reference).toBe(3);
    const list = (of: Services) => of.store.outbox.list({ reference: refused }, 3);
    const failure = (receiver: string, reason: string) => ({
      ...{ receiver, attempts: 1, last_failure: expect.stringContaining(reason) },
    });
    await expect
      .poll(() => list(site))
      .toMatchObject([failure('mail', '535 5.7.8'), failure('sheet', '403'), failure('webhook', '403')]);
    await site[Symbol.asyncDispose]();

    const later = { now: () => new Date(Date.now() + 10_000) };
    await using next = await wire(testConfig(env), { log, ...withTrustedClock(later) });
    await next.worker.start();
    await expect.poll(async () => (await list(next)).map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
    await delivered(next, await send(next, 'three')).toBe(3);
    expect(await next.store.receivers.listPaused()).toEqual([]);
    const { out } = await runCommand('src/cli/inbox.ts', ['show', refused], env);
    for (const answer of ['answered 535 5.7.8 to the mail', 'answered 403']) expect(out).toContain(answer);
    // The filters' responses repeat the visitor's text.
    expect(lines.join('')).not.toContain('<script');
  });
});
