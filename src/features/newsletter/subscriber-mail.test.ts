import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSmtpServer, type ReceivedMail } from '../../../tests/fakes/smtp-server.ts';
import { attempt, hostileText } from '../../../tests/harness/sample-payload.ts';
import { withReason } from '../../../tests/harness/with-reason.ts';
import type { ConfirmationPayload, NewsletterPayload } from './deliveries.ts';
import {
  createSubscriberMail,
  type SubscriberMailDeps,
  sitePlaceholder,
  unsubscribePlaceholder,
} from './subscriber-mail.ts';

const receivedAt = '2026-01-02T03:04:05.678Z';
const to = 'Reader+news@mail.example';
const token = 'T'.repeat(43);
const subscriber = `s-_${'0'.repeat(40)}`;
const confirmation: ConfirmationPayload = { kind: 'confirmation', reference: 'C-1', receivedAt, to, token };
const issue: NewsletterPayload = {
  kind: 'issue',
  reference: `I-1-${subscriber}`,
  receivedAt,
  to,
  subscriber,
  subject: 'Märzausgabe: what a good scope looks like, and a note on passkeys that is rather long',
  html: `<p>Zoë &amp; all, <a href="${unsubscribePlaceholder}">leave</a> <a href="${sitePlaceholder}/faq">answers</a></p>\n<p>--</p>\n`,
  text: `Zoë & all (${sitePlaceholder}/faq)\n.\n--\n\nLeave:\n${unsubscribePlaceholder}\n`,
};
const texts = {
  sender: 'Wardhouse, Ltd',
  replyTo: 'hello@wardhouse.example',
  confirmation: { subject: 'Please confirm', body: 'Is it you?\n\n{link}\n\nOtherwise do nothing.' },
};
const newsletterUrl = 'https://www.wardhouse.example/newsletter';
const links = {
  site: 'https://www.wardhouse.example',
  confirm: (given: string) => `${newsletterUrl}/confirm?token=${given}`,
  unsubscribe: (id: string) => `${newsletterUrl}/leave?id=${id}&key=${'k'.repeat(43)}`,
};

const create = (deps: Partial<SubscriberMailDeps> = {}) => {
  const smtp = { host: '127.0.0.1', port: server.port, encryption: 'none' } as const;
  return createSubscriberMail(
    { mail: { smtp, from: 'website@wardhouse.example' }, perSecond: 7 },
    { dataDir: '/nowhere', texts: () => texts, links, ...deps },
  );
};

const server = await createSmtpServer();
const subscriberMail = create();
beforeEach(() => server.mails.splice(0));
afterAll(async () => {
  subscriberMail.close();
  await server[Symbol.asyncDispose]();
});

async function received(payload: ConfirmationPayload | NewsletterPayload): Promise<ReceivedMail> {
  const receiver = payload.kind === 'issue' ? subscriberMail.newsletter : subscriberMail.confirmations;
  expect(await receiver.deliver(payload, attempt)).toEqual({ kind: 'delivered' });
  return server.mails.at(-1) ?? expect.fail('no mail has arrived');
}

test("a subscriber mail that asks for confirmation is the owner's text and the link, without HTML", async () => {
  const { from, to: recipients, header, text, html } = await received(confirmation);
  expect({ from, recipients }).toEqual({ from: 'website@wardhouse.example', recipients: [to] });
  expect(header('From')).toBe('"Wardhouse, Ltd" <website@wardhouse.example>');
  expect([header('To'), header('Reply-To')]).toEqual([to, 'hello@wardhouse.example']);
  expect([header('Subject'), header('List-Unsubscribe'), html]).toEqual([
    'Please confirm',
    undefined,
    undefined,
  ]);
  expect(text.trimEnd()).toBe(`Is it you?\n\n${links.confirm(token)}\n\nOtherwise do nothing.`);
});

test('a subscriber mail with an issue has text, HTML and headers to unsubscribe with, and is the same on each attempt', async () => {
  const { header, subject, text, html = '', raw } = await received(issue);
  expect(raw.indexOf('text/plain')).toBeLessThan(raw.indexOf('text/html'));
  expect(header('Message-ID')).toBe(`<I-1-${subscriber}@wardhouse.example>`);
  expect(subject).toBe(issue.subject);
  const link = links.unsubscribe(subscriber);
  expect(text.trimEnd()).toBe(`Zoë & all (${links.site}/faq)\n.\n--\n\nLeave:\n${link}`);
  expect(html).toContain(`<a href="${link.replace('&', '&amp;')}">`);
  expect(html).toContain(`<a href="${links.site}/faq">`);
  expect(raw.split('\r\n').filter(line => line.length > 78 && !line.includes(link))).toEqual([]);
  // Folded before the address, never within it.
  expect(raw).toMatch(/^List-Unsubscribe:(\r\n)? <https:\S+>\r$/m);
  expect(header('List-Unsubscribe')).toBe(`<${link}>`);
  expect(header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(header('List-Id')).toBe('<newsletter.www.wardhouse.example>');
  expect((await received(issue)).raw).toBe(raw);
});

test('a subscriber mail is sent at most once, at the configured rate, and ends when its recipient is refused for good', async () => {
  const { confirmations, newsletter } = subscriberMail;
  const isOnce = { isAtMostOnce: true, isIdempotent: false };
  expect(newsletter).toMatchObject({ name: 'newsletter', perSecond: 7, ...isOnce });
  expect(confirmations).toMatchObject({ name: 'confirmations', ...isOnce });
  for (const [code, outcome] of [
    ['550 5.1.1', { kind: 'permanent', isUnknownMailbox: true }],
    ['552 5.2.2', { kind: 'permanent', isUnknownMailbox: false }],
    ['554 5.7.1', { kind: 'retry', isAmbiguous: false }],
  ] as const) {
    server.script({ at: 'recipient', kind: 'answer', reply: `${code} no` });
    const reason = `answered ${code} to RCPT TO`;
    expect(withReason(await newsletter.deliver(issue, attempt))).toEqual({ ...outcome, reason });
  }
});

test('a subscriber mail waits while SITE_URL is unset or its text cannot be read', async () => {
  const unset = await create({ links: undefined }).newsletter.deliver(issue, attempt);
  expect(withReason(unset)).toMatchObject({
    kind: 'misconfigured',
    reason: expect.stringContaining('SITE_URL'),
  });
  const broken = create({
    texts() {
      throw new Error('content/site.yaml line 1: is missing\nand more');
    },
  });
  const reason = 'could not be written: content/site.yaml line 1: is missing';
  const outcome = await broken.confirmations.deliver(confirmation, attempt);
  expect(withReason(outcome)).toEqual({ kind: 'retry', reason, isAmbiguous: false });
});

test('a subscriber mail gets no recipient, header or text from its address', async () => {
  const usual = await received(confirmation);
  const names = (mail: ReceivedMail | undefined) => mail?.headers.map(([name]) => name);
  const hostile = hostileText([
    ...['a@b.example', 'c', 'é', '[127.0.0.1]', 'group:', '%0d%0a', '=?UTF-8?Q?x?=', ...'@.,;: <>"\\()'],
    ...['\r\n', '\n', '\0', '\u2028', '\u202e', '\r\nBcc: x@y.example', '\r\n\r\nbody'],
    '> SIZE=9\r\nRCPT TO:<x@y.example',
  ]);
  const withTemplates = "{link}{{leave}}$&'=|~+#-9@xn--exmple-cua.com";
  await fc.assert(
    fc.asyncProperty(hostile, async given => {
      server.mails.splice(0);
      const outcome = await subscriberMail.confirmations.deliver({ ...confirmation, to: given }, attempt);
      if (outcome.kind !== 'delivered') {
        const reason = 'its address is not valid';
        expect(withReason(outcome)).toEqual({ kind: 'permanent', reason, isUnknownMailbox: false });
        expect(server.mails).toEqual([]);
        return;
      }
      const [mail, ...more] = server.mails;
      expect(more).toEqual([]);
      expect(mail?.to).toEqual([given]);
      // A name with a dot at an end, or two in a row, stands in quotes; it is the same address.
      expect(mail?.header('To')?.replaceAll(/[<>"]/g, '')).toBe(given);
      expect(names(mail)).toEqual(names(usual));
      expect(mail?.header('Subject')).toBe(usual.header('Subject'));
      expect(mail?.text).toBe(usual.text);
    }),
    { numRuns: 80, examples: [['.a@b.example'], [withTemplates]] },
  );
});
