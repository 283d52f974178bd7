import { describe, expect, test, vi } from 'vitest';
import { type Services, wire } from '../src/server/wire.ts';
import { type Behaviour, createHttpService, type ReceivedRequest } from './fakes/http-service.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { runCommand } from './harness/command.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { collectLog, testConfig, withTrustedClock } from './harness/site.ts';

vi.setConfig({ testTimeout: 60_000 });

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const attack = 'Our scanner found this: <script>alert(1)</script>';

/** Sheet, mailbox and webhook behind filters that let no message through which quotes a script. */
async function startFilteredServices() {
  const firewall = ({ body }: ReceivedRequest): Behaviour =>
    body.includes('<script') ? { kind: 'answer', status: 403 } : { kind: 'work' };
  const sheet = await createSheetService();
  const hook = await createHttpService(() => ({ status: 204 }));
  const smtp = await createSmtpServer({
    refuse: ({ text }) => (text.includes('<script') ? '535 5.7.8 <script is not for us' : undefined),
  });
  sheet.script(firewall);
  hook.script(firewall);
  const env = {
    SHEET_URL: sheet.url,
    SHEET_RATE: '1000',
    SMTP_URL: smtp.url,
    NOTIFY_EMAIL: 'office@example.com',
    MAIL_RATE: '1000',
    WEBHOOK_URL: hook.url,
    WEBHOOK_SECRET: secret,
    WEBHOOK_RATE: '100',
  };
  const stack = new AsyncDisposableStack();
  for (const service of [sheet, smtp, hook]) stack.use(service);
  return { env, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function send({ app, worker }: Services, message: string): Promise<string> {
  const response = await app.fetch(
    new Request('http://site.example/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Zoë', email: 'zoe@example.com', message }),
    }),
  );
  worker.wake();
  return ((await response.json()) as { reference: string }).reference;
}

describe.each(databaseUnderTest)('a message that a firewall rejects, on $name', ({ create }) => {
  test('delays no other delivery, also after a restart, and is shown with the responses', async () => {
    await using services = await startFilteredServices();
    const database = await create();
    const { log, lines } = collectLog();
    const env = { ...database.env, ...services.env };
    const config = testConfig(env);
    const arrived = (site: Services, reference: string) =>
      expect.poll(() => site.store.outbox.count({ reference, states: ['delivered'] })).toBe(3);

    const site = await wire(config, { log });
    await site.worker.start();
    const accepted = [await send(site, 'one')];
    const refused = await send(site, attack);
    for (const words of ['two', 'three', 'four']) accepted.push(await send(site, words));
    for (const reference of accepted) await arrived(site, reference);
    const list = (of: Services) => of.store.outbox.list({ reference: refused }, 3);
    await expect
      .poll(async () => (await list(site)).map(({ receiver, attempts }) => [receiver, attempts]))
      .toEqual([
        ['mail', 1],
        ['sheet', 1],
        ['webhook', 1],
      ]);
    expect((await list(site)).map(({ last_failure }) => last_failure)).toEqual([
      expect.stringContaining('535 5.7.8'),
      expect.stringContaining('403'),
      expect.stringContaining('403'),
    ]);
    await site[Symbol.asyncDispose]();

    const clock = { now: () => new Date(Date.now() + 10_000) };
    const next = await wire(config, { log, ...withTrustedClock(clock) });
    await next.worker.start();
    await expect.poll(async () => (await list(next)).map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
    await arrived(next, await send(next, 'five'));
    expect(await next.store.receivers.listPaused()).toEqual([]);
    const { out } = await runCommand('src/cli/inbox.ts', ['show', refused], env);
    for (const answer of ['answered 535 5.7.8 to the mail', 'answered 403']) expect(out).toContain(answer);
    // The filters' responses repeat the visitor's text.
    expect(lines.join('')).not.toContain('<script');
    await next[Symbol.asyncDispose]();
    await database.remove();
  });
});
