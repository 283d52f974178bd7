import { describe, expect, test, vi } from 'vitest';
import { contactPath, honeypotField } from '../src/api/contract.ts';
import { wire } from '../src/server/wire.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { runCommand } from './harness/command.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { sendRaw } from './harness/raw-http.ts';
import { json } from './harness/requests.ts';
import { collectLog, startSite, testConfig, withTrustedClock } from './harness/site.ts';

// Each of these starts a few processes.
vi.setConfig({ testTimeout: 60_000 });

const spam = {
  name: 'Charles',
  email: 'charles@slots.example',
  message: 'Win https://slots.example/1 https://slots.example/2 [url=https://slots.example/3]now[/url]',
  [honeypotField]: 'google',
};
const reason = 'honeypot, links, markup';

describe.each(databaseUnderTest)('what looks like spam, on $name,', ({ create }) => {
  test('is in the digest, is listed and shown with its reasons, and is released by one command', async () => {
    const database = await create();
    await using sheet = await createSheetService();
    await using smtp = await createSmtpServer();
    const env = {
      ...database.env,
      SHEET_URL: sheet.url,
      SHEET_RATE: '1000',
      SMTP_URL: smtp.url,
      MAIL_RATE: '1000',
      NOTIFY_EMAIL: 'office@example.com',
      RATE_LIMIT: 'on',
    };
    const { log } = collectLog();
    let ahead = 0;
    const clock = { now: () => new Date(Date.now() + ahead) };
    const site = await wire(testConfig(env), { log, ...withTrustedClock(clock) });
    const inbox = (...args: string[]) => runCommand('src/cli/inbox.ts', args, env);

    const response = await site.app.fetch(json(spam));
    expect(response.status).toBe(200);
    const { reference } = (await response.json()) as { reference: string };
    ahead = 2 * 60_000;
    await site.worker.start();
    await expect.poll(() => smtp.mails.length).toBe(1);
    const [digest] = smtp.mails;
    expect(digest?.header('Subject')).toBe('Website: 1 message in quarantine');
    expect(digest?.text).toMatch(new RegExp(`${reference} {2}\\S+ {2}${reason}\\r?\\n`));

    const [listed, shown] = await Promise.all([
      inbox('list', '--state', 'quarantined'),
      inbox('show', reference),
    ]);
    expect(listed.out).toContain(`${reference}\t`);
    expect(listed.out).toContain(`quarantined (${reason})`);
    expect(shown.out).toMatch(/^Reason {5}the hidden honeypot field was filled in\n {11}\S/m);
    expect([sheet.rows, smtp.mails.length]).toEqual([[], 1]);

    expect(await inbox('release', reference)).toMatchObject({ code: 0 });
    // It looks by itself every five seconds.
    site.worker.wake();
    await expect.poll(() => sheet.rows.length).toBe(1);
    await expect.poll(() => smtp.mails.length).toBe(2);
    expect(sheet.rows[0]).toMatchObject({ Reference: reference, Name: 'Charles' });
    expect(smtp.mails[1]?.text).toContain(spam.message);
    expect(await site.store.messages.get(reference)).toMatchObject({ state: 'new', quarantine_reason: '' });
    await site[Symbol.asyncDispose]();
    await database.remove();
  });
});

test('gets the same response as any other message, byte for byte', async () => {
  await using site = await startSite();
  const port = Number(new URL(site.origin).port);
  const answer = async (body: object) => {
    const text = JSON.stringify(body);
    const head = [
      `POST ${contactPath} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    return (await sendRaw(port, `${head.join('\r\n')}\r\n\r\n${text}`, 1)).text;
  };
  const masked = (text: string) =>
    text
      .replace(/^(date|x-request-id): .*$/gim, '$1: -')
      .replace(/"reference":"[0-9A-Z]{5}-[0-9A-Z]{5}"/, '"reference":"-"');
  const [ordinary, suspect] = [await answer({ ...spam, [honeypotField]: '' }), await answer(spam)];
  expect(ordinary).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(masked(suspect)).toBe(masked(ordinary));
  expect(masked(ordinary)).not.toBe(ordinary);
  expect(suspect.length).toBe(ordinary.length);
  expect(await site.store.messages.count({ state: 'quarantined' })).toBe(1);
  expect(await site.store.messages.count({ state: 'new' })).toBe(1);
});
