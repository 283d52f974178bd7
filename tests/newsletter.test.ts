import { expect, test } from 'vitest';
import { newsletterPath } from '../src/api/contract.ts';
import { type Services, wire } from '../src/server/wire.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { json, origin } from './harness/requests.ts';
import { collectLog, testConfig, withTrustedClock } from './harness/site.ts';
import {
  findLink,
  mailsTo,
  queueNewsletterIssue,
  subscriberMailSettings,
} from './harness/subscriber-mail.ts';

const day = 24 * 60 * 60 * 1000;

test.each(databaseUnderTest)(
  'an unsubscribed address returns only by a new mail and a new confirmation, on $name',
  async ({ create }) => {
    await using database = await create();
    await using smtp = await createSmtpServer();
    const time = { ahead: 0 };
    await using site = await wire(testConfig({ ...database.env, ...subscriberMailSettings(smtp) }), {
      log: collectLog().log,
      ...withTrustedClock({ now: () => new Date(Date.now() + time.ahead) }),
    });
    await site.worker.start();
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
  },
);

async function ask({ app }: Services, email: string): Promise<string> {
  const answer = await app.fetch(json({ email, form: 'home', wording: '' }, {}, newsletterPath));
  return `${answer.status} ${await answer.text()}`;
}

/** Presses the button of the page that a mail links to. Returns the redirect. */
async function press({ app }: Services, link: string): Promise<string | null> {
  const answer = await app.fetch(new Request(origin + link, { method: 'POST' }));
  return answer.headers.get('location');
}
