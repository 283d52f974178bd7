import { describe, expect, test } from 'vitest';
import { type Services, wire } from '../src/server/wire.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { collectLog, testConfig, withTrustedClock } from './harness/site.ts';
import {
  findLink,
  mailsTo,
  queueNewsletterIssue,
  subscriberMailSettings,
} from './harness/subscriber-mail.ts';

const origin = 'http://site.example';
const day = 24 * 60 * 60 * 1000;

describe.each(databaseUnderTest)('the newsletter on $name', ({ create }) => {
  /** The whole server without its port, a mail server, and a clock that can be moved. */
  async function start(settings: Record<string, string> = {}) {
    const database = await create();
    const smtp = await createSmtpServer();
    const time = { ahead: 0 };
    const site = await wire(testConfig({ ...database.env, ...subscriberMailSettings(smtp), ...settings }), {
      log: collectLog().log,
      ...withTrustedClock({ now: () => new Date(Date.now() + time.ahead) }),
    });
    await site.worker.start();
    async function end() {
      await site[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
      await database.remove();
    }
    return { site, smtp, time, database, [Symbol.asyncDispose]: end };
  }

  // Each has its own site and mostly waits, so they run concurrently.
  test.concurrent('500 concurrent sign-ups of one address, in any spelling, are one mail', async ({
    expect,
  }) => {
    await using whole = await start();
    const { site, smtp, database } = whole;
    const spellings = ['ann@example.com', 'ANN@Example.com', ' ann@EXAMPLE.COM ', 'Ann@example.com'];
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, index) => ask(site, spellings[index % 4] as string)),
    );
    expect(new Set(answers)).toEqual(new Set(['200 {"message":"Check your inbox to confirm"}']));
    await expect.poll(() => site.store.signUps.count()).toBe(0);
    await expect.poll(() => site.store.outbox.count({ states: ['delivered'] })).toBe(1);
    expect(smtp.mails).toHaveLength(1);
    expect(await database.query('select state from subscribers')).toEqual([{ state: 'pending' }]);
  });

  test.concurrent('no more mails than the limit are sent in an hour, the rest follow, and the owner is notified', async ({
    expect,
  }) => {
    await using whole = await start({ NEWSLETTER_MAX_PER_HOUR: '3' });
    const { site, smtp, time } = whole;
    for (let index = 0; index < 8; index += 1) await ask(site, `reader-${index}@example.com`);
    const mails = () => smtp.mails.filter(({ to }) => to[0]?.startsWith('reader-')).length;
    await expect.poll(mails).toBe(3);
    await expect.poll(() => mailsTo(smtp, 'office@example.com').length).toBe(1);
    expect(mailsTo(smtp, 'office@example.com')[0]?.text).toContain('NEWSLETTER_MAX_PER_HOUR');
    for (const sent of [6, 8]) {
      time.ahead += 61 * 60 * 1000;
      site.worker.wake();
      await expect.poll(mails).toBe(sent);
    }
    expect(await site.store.signUps.count()).toBe(0);
  });

  test.concurrent('an unused link expires after seven days, and its data is deleted', async ({ expect }) => {
    await using whole = await start();
    const { site, smtp, time, database } = whole;
    await ask(site, 'ann@example.com');
    await expect.poll(() => smtp.mails.length).toBe(1);
    const link = findLink(smtp.mails[0]?.text ?? '', 'confirm');
    await expect.poll(() => site.store.outbox.count({ states: ['delivered'] })).toBe(1);
    time.ahead = 7 * day + 60_000;
    expect(await press(site, link)).toBe('/newsletter/expired');
    // The running server does this in its next scheduled run.
    const { purgeSubscribers } = await import('../src/domain/newsletter/purge-subscribers.ts');
    const { subscribers, schedule } = site.store;
    await purgeSubscribers({ subscribers, schedule, copies: site.copies, clock: site.clock });
    for (const table of ['subscribers', 'tokens', 'sign_ups', 'deliveries']) {
      expect({ [table]: await database.query(`select * from ${table}`) }).toEqual({ [table]: [] });
    }
  });

  test.concurrent('an unsubscribed address returns only by a new mail and a new confirmation', async ({
    expect,
  }) => {
    await using whole = await start();
    const { site, smtp, time } = whole;
    const mails = () => mailsTo(smtp, 'ann@example.com');
    await ask(site, 'ann@example.com');
    await expect.poll(() => mails().length).toBe(1);
    const first = findLink(mails()[0]?.text ?? '', 'confirm');
    expect(await press(site, first)).toBe('/newsletter/confirmed');
    await queueNewsletterIssue(site, 'one');
    await expect.poll(() => mails().length).toBe(2);
    expect(await press(site, findLink(mails()[1]?.text ?? '', 'leave'))).toBe('/newsletter/left');

    time.ahead = day + 60_000;
    await ask(site, 'ann@example.com');
    await expect.poll(() => mails().length).toBe(3);
    expect(await press(site, first)).toBe('/newsletter/expired');
    const waiting = await queueNewsletterIssue(site, 'two');
    expect((await site.store.newsletterIssues.count(waiting)).waiting).toBe(0);
    expect(await press(site, findLink(mails()[2]?.text ?? '', 'confirm'))).toBe('/newsletter/confirmed');
    await queueNewsletterIssue(site, 'three');
    await expect.poll(() => mails().length).toBe(4);
    // An unsubscribe link of the first issue still works.
    expect(await press(site, findLink(mails()[1]?.text ?? '', 'leave'))).toBe('/newsletter/left');
  });

  test.each([
    ['one /48', (network: number) => `2001:db8:1:${network}/64`],
    ['several /48', (network: number) => `2001:db8:${network}:1/64`],
  ])(
    '210 sign-ups for one mailbox from seven networks in %s are one mail, and starve no visitor',
    async (_, networkOf) => {
      await using whole = await start({ RATE_LIMIT: 'on', NEWSLETTER_MAX_PER_HOUR: '200' });
      const { site, smtp } = whole;
      await Promise.all(
        Array.from({ length: 210 }, (__, index) =>
          ask(site, `victim+${index}@example.com`, networkOf(index % 7)),
        ),
      );
      expect(await ask(site, 'honest@example.com', '192.0.2.1')).toContain('200');
      await expect.poll(() => mailsTo(smtp, 'honest@example.com').length, { timeout: 20_000 }).toBe(1);
      await expect.poll(() => site.store.signUps.count()).toBe(0);
      await expect.poll(() => site.store.outbox.count({ states: ['waiting', 'sending'] })).toBe(0);
      expect(smtp.mails.filter(({ to }) => to[0]?.startsWith('victim')).length).toBe(1);
    },
  );

  test('a network that used up its hour waits behind a visitor of another', async () => {
    await using whole = await start({ NEWSLETTER_MAX_PER_HOUR: '5' });
    const { site, smtp, time } = whole;
    const victims = () => smtp.mails.filter(({ to }) => to[0]?.startsWith('victim')).length;
    for (let index = 0; index < 20; index += 1)
      await ask(site, `victim-${index}@example.com`, `2001:db8:1:${index}/64`);
    await expect.poll(victims).toBe(5);
    await ask(site, 'honest@example.com', '192.0.2.1');
    time.ahead += 61 * 60 * 1000;
    site.worker.wake();
    await expect.poll(() => mailsTo(smtp, 'honest@example.com').length).toBe(1);
    await expect.poll(victims).toBe(9);
  });
});

async function ask({ app }: Services, email: string, address = ''): Promise<string> {
  const answer = await app.fetch(
    new Request(`${origin}/api/newsletter`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, form: 'home', wording: '' }),
    }),
    { address },
  );
  return `${answer.status} ${await answer.text()}`;
}

/** Presses the button of the page that a mail links to. Returns the redirect. */
async function press({ app }: Services, link: string): Promise<string | null> {
  const answer = await app.fetch(new Request(origin + link, { method: 'POST' }));
  return answer.headers.get('location');
}
