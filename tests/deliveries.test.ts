import { expect, test } from 'vitest';
import { createHttpService } from './fakes/http-service.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { json } from './harness/requests.ts';
import { collectLog, testConfig, type WiredSite, wireSite, withTrustedClock } from './harness/site.ts';

const words = { name: 'Zoë', email: 'zoe@example.com', message: '=1+2\nHello', service: 'audit' };

const delivered = (site: WiredSite, reference: string) =>
  expect.poll(() => site.store.outbox.count({ reference, states: ['delivered'] }));

test.each(databaseUnderTest)(
  'a message on $name is delivered once to sheet, mailbox and webhook, although the sheet stored it without a response',
  async ({ create }) => {
    await using sheet = await createSheetService();
    await using hook = await createHttpService(() => ({ status: 204 }));
    await using smtp = await createSmtpServer();
    await using database = await create();
    const { log } = collectLog();
    const config = testConfig({
      ...database.env,
      ...{ SHEET_URL: sheet.url, SHEET_RATE: '1000', SHEET_LOOKUP_URL: `${sheet.url}rows/{reference}` },
      ...{ SMTP_URL: smtp.url, NOTIFY_EMAIL: 'office@example.com', MAIL_RATE: '1000' },
      ...{ WEBHOOK_URL: hook.url, WEBHOOK_RATE: '100' },
      WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    });
    const site = await wireSite(config, { log });
    await site.worker.start();
    sheet.script([{ kind: 'reset', isDone: true }]);
    const response = await site.app.fetch(json(words));
    site.worker.wake();
    const { reference } = (await response.json()) as { reference: string };
    await delivered(site, reference).toBe(2);
    expect(smtp.mails[0]?.header('Message-ID')).toContain(reference);
    expect(hook.requests[0]?.headers['webhook-id']).toBe(reference);
    expect(JSON.parse(hook.requests[0]?.body ?? '')).toMatchObject({ data: words });
    await expect
      .poll(() => site.store.outbox.list({ reference, receiver: 'sheet' }, 1))
      .toMatchObject([{ state: 'waiting', is_ambiguous: 1, attempts: 1 }]);
    await site[Symbol.asyncDispose]();

    // The next process asks the sheet first, and finds the message there.
    const later = { now: () => new Date(Date.now() + 60_000) };
    await using next = await wireSite(config, { log, ...withTrustedClock(later) });
    await next.worker.start();
    await delivered(next, reference).toBe(3);
    expect(sheet.rows).toMatchObject([{ Reference: reference, Message: "'=1+2\nHello" }]);
    expect([smtp.mails.length, hook.requests.length]).toEqual([1, 1]);
  },
);
