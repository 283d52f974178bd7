import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { tokenHeader } from '../src/api/contract.ts';
import { floodLimits } from '../src/api/guards/flood-check.ts';
import { type Services, wire } from '../src/server/wire.ts';
import { createSmtpServer, type FakeSmtpServer } from './fakes/smtp-server.ts';
import { runCommand } from './harness/command.ts';
import { databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { json } from './harness/requests.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, testConfig } from './harness/site.ts';

// Notices and grouped mails come within seconds of their own.
vi.setConfig({ testTimeout: 120_000 });

describe.each(databaseUnderTest)('a flood of messages on $name', ({ name, create }) => {
  let database: TestDatabase;
  let smtp: FakeSmtpServer;
  let server: Services;
  let worker: Services;
  let env: Record<string, string>;

  beforeEach(async () => {
    database = await create();
    smtp = await createSmtpServer();
    env = {
      ...database.env,
      SMTP_URL: smtp.url,
      NOTIFY_EMAIL: 'office@example.com',
      RATE_LIMIT: 'on',
    };
    const { log } = collectLog();
    server = await wire(testConfig(env), { log });
    // Deliveries are the work of a process of its own where the database can be shared.
    worker = name === 'PostgreSQL' ? await wire(testConfig(env), { log }) : server;
  });
  afterEach(async () => {
    for (const site of new Set([server, worker])) await site[Symbol.asyncDispose]();
    await smtp[Symbol.asyncDispose]();
    await database.remove();
  });

  const subjects = () => smtp.mails.map(mail => mail.header('Subject') ?? '');
  const inbox = (...args: string[]) => runCommand('src/cli/inbox.ts', args, env);

  test('delivers legitimate messages, notifies the owner within seconds, groups the mails, and is released by one command', async () => {
    await worker.worker.start();
    let asker = 0;
    const send = async (message: string, headers: Record<string, string> = {}) => {
      asker += 1;
      const address = `2001:db8:${asker.toString(16)}::1`;
      const response = await server.app.fetch(json({ message }, headers), { address });
      expect(response.status).toBe(200);
      return ((await response.json()) as { reference: string }).reference;
    };
    const count = floodLimits.max + 50;
    const references = await Promise.all(Array.from({ length: count }, (_, index) => send(`no ${index}`)));
    const crossed = performance.now();
    await expect
      .poll(() => subjects(), { timeout: 20_000 })
      .toContain('Website: a flood of messages has begun');
    expect(performance.now() - crossed).toBeLessThan(15_000);
    const [notice] = smtp.mails.filter(mail => mail.header('Subject')?.endsWith('begun'));
    const [, command = ''] =
      /npm run inbox -- (release --reason flood --since \S+)/.exec(notice?.text ?? '') ?? [];
    expect(command).not.toBe('');

    // One that was sent in haste is quarantined now, and one without any sign is not.
    const hasty = await send('Hello', { [tokenHeader]: server.appDeps.formTokens.create() });
    const legitimate = await send('Please call me back.');
    expect(await server.store.messages.get(hasty)).toMatchObject({
      state: 'quarantined',
      quarantine_reason: 'flood, fast',
    });
    expect(await server.store.messages.get(legitimate)).toMatchObject({ state: 'new' });

    // Some went out one by one before the flood was known; the rest is one mail.
    const sent = () =>
      server.store.outbox.count({ receiver: 'mail', kinds: ['message'], states: ['delivered'] });
    await expect.poll(sent, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
    const grouped = smtp.mails.filter(mail => /^Website: \d+ messages$/.test(mail.header('Subject') ?? ''));
    expect(grouped).toHaveLength(1);
    expect(smtp.mails.length).toBeLessThan(count / 2);
    const texts = smtp.mails.map(({ text }) => text).join('\n');
    expect(references.filter(reference => !texts.includes(reference))).toEqual([]);

    const released = await inbox(...command.split(' '), '--yes', '--json');
    expect([released.code, JSON.parse(released.out)]).toMatchObject([0, { reason: 'flood', released: 1 }]);
    expect(await server.store.messages.get(hasty)).toMatchObject({ state: 'new', quarantine_reason: '' });
  });

  test('is released by reason and time, after a count and --yes', async () => {
    const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;
    const addQuarantined = (quarantine_reason: string, minute: number) =>
      newMessage({ state: 'quarantined', quarantine_reason, received_at: at(minute) });
    const flood = [1, 3, 5].map(minute => addQuarantined('flood, fast', minute));
    const other = addQuarantined('honeypot, honeypot text', 5);
    for (const message of [...flood, other]) await server.store.messages.add(message);
    const states = async () =>
      Promise.all(
        [...flood, other].map(async ({ reference }) => (await server.store.messages.get(reference))?.state),
      );

    const unasked = await inbox('release', '--reason', 'flood');
    expect(unasked).toMatchObject({ code: 1, out: '' });
    expect(unasked.err).toMatch(/^3 messages in quarantine .*\nerror: Nothing was released: .*--yes.*\n$/);
    expect(await states()).toEqual(Array(4).fill('quarantined'));

    const some = await inbox('release', '--reason', 'flood', '--since', at(3), '--yes');
    expect(some).toMatchObject({ code: 0, err: '2 messages released; their deliveries are queued\n' });
    expect(await states()).toEqual(['quarantined', 'new', 'new', 'quarantined']);
    const deliveries = await server.store.outbox.list({ states: ['waiting'] }, 100);
    expect(deliveries.map(({ receiver }) => receiver).sort()).toEqual(['mail', 'mail', 'sheet', 'sheet']);

    const none = await inbox('release', '--reason', 'flood', '--since', at(3), '--yes');
    expect(none.code).toBe(0);
    expect(none.err).toMatch(/^No messages in quarantine with the reason 'flood', received since .*\n$/);
    const two = await inbox('release', '--reason', 'honeypot text', '--yes', '--json');
    expect(JSON.parse(two.out)).toEqual({ reason: 'honeypot text', since: null, released: 1 });

    for (const args of [
      ['--reason', 'floods'],
      ['--reason', 'flood', 'ABCDE-FGHJK'],
      ['--since', '1d'],
      ['--yes'],
    ]) {
      const { code, err } = await inbox('release', ...args);
      expect([args, code]).toEqual([args, 2]);
      if (args[1] === 'floods')
        for (const word of ['flood', 'honeypot text', 'campaign']) expect(err).toContain(word);
    }
  });
});
