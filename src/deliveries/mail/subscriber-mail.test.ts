import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'parse5';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ReceivedMail, readMail } from '../../../tests/fakes/received-mail.ts';
import { createSmtpServer, type FakeSmtpServer } from '../../../tests/fakes/smtp-server.ts';
import type { ConfirmationPayload, NewsletterPayload } from '../delivery.ts';
import {
  createSubscriberMail,
  type SubscriberMail,
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
const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
const words = {
  sender: 'Wardhouse, Ltd',
  replyTo: 'hello@wardhouse.example',
  confirmation: { subject: 'Please confirm', body: 'Is it you?\n\n{link}\n\nOtherwise do nothing.' },
};
const site = 'https://www.wardhouse.example/newsletter';
const links = {
  site: 'https://www.wardhouse.example',
  confirm: (given: string) => `${site}/confirm?token=${given}`,
  leave: (id: string) => `${site}/leave?id=${id}&key=${'k'.repeat(43)}`,
};

describe('a subscriber mail', () => {
  let server: FakeSmtpServer;
  let subscriberMail: SubscriberMail;

  const create = (deps: Partial<SubscriberMailDeps> = {}) =>
    createSubscriberMail(
      {
        mail: {
          smtp: { host: '127.0.0.1', port: server.port, encryption: 'none' },
          from: 'website@wardhouse.example',
        },
        perSecond: 7,
      },
      { dataDir: '/nowhere', texts: () => words, links, ...deps },
    );

  beforeAll(async () => {
    server = await createSmtpServer();
    subscriberMail = create();
  });
  beforeEach(() => server.mails.splice(0));
  afterAll(async () => {
    subscriberMail.close();
    await server[Symbol.asyncDispose]();
  });

  async function received(payload: ConfirmationPayload | NewsletterPayload): Promise<ReceivedMail> {
    const receiver = payload.kind === 'issue' ? subscriberMail.newsletter : subscriberMail.confirmations;
    expect(await receiver.deliver(payload, attempt)).toEqual({ kind: 'delivered' });
    const last = server.mails.at(-1);
    if (!last) throw new Error('no mail has arrived');
    return last;
  }

  test("that asks for confirmation is the owner's text and the link, without HTML", async () => {
    const { from, to: recipients, header, text, html } = await received(confirmation);
    expect({ from, recipients }).toEqual({ from: 'website@wardhouse.example', recipients: [to] });
    expect(header('From')).toBe('"Wardhouse, Ltd" <website@wardhouse.example>');
    expect(header('To')).toBe(to);
    expect(header('Reply-To')).toBe('hello@wardhouse.example');
    expect(header('Subject')).toBe('Please confirm');
    expect(header('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(header('List-Unsubscribe')).toBeUndefined();
    expect(html).toBeUndefined();
    expect(text.trimEnd()).toBe(`Is it you?\n\n${links.confirm(token)}\n\nOtherwise do nothing.`);
  });

  test('with an issue has text and HTML, each with an unsubscribe link', async () => {
    const { header, text, html = '', raw } = await received(issue);
    expect(header('Content-Type')).toMatch(/^multipart\/alternative;/);
    expect(raw.indexOf('text/plain')).toBeLessThan(raw.indexOf('text/html'));
    expect(header('Message-ID')).toBe(`<I-1-${subscriber}@wardhouse.example>`);
    expect(decodeWords(header('Subject') ?? '')).toBe(issue.subject);
    const link = links.leave(subscriber);
    expect(text.trimEnd()).toBe(`Zoë & all (${links.site}/faq)\n.\n--\n\nLeave:\n${link}`);
    expect(html).toContain(`<a href="${link.replace('&', '&amp;')}">`);
    expect(html).toContain(`<a href="${links.site}/faq">`);
    expect(JSON.stringify(parse(html), withoutParents)).toContain(JSON.stringify(link));
    expect(raw.split('\r\n').filter(line => line.length > 78 && !line.includes(link))).toEqual([]);
  });

  test('with an issue has one-click unsubscribe headers', async () => {
    const { header, raw } = await received(issue);
    const link = links.leave(subscriber);
    expect(header('List-Unsubscribe')).toBe(`<${link}>`);
    // Folded before the address, never within it.
    expect(raw).toMatch(/^List-Unsubscribe:(\r\n)? <https:\S+>\r$/m);
    expect(header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(header('List-Id')).toBe('<newsletter.www.wardhouse.example>');
  });

  test('is the same on each attempt', async () => {
    const first = await received(issue);
    expect((await received(issue)).raw).toBe(first.raw);
  });

  test('for a test is sent like any other', async () => {
    const given = { ...issue, to: 'owner@wardhouse.example' };
    expect(await subscriberMail.sendTest(given, attempt.signal)).toEqual({ kind: 'delivered' });
    expect(server.mails.map(mail => mail.to)).toEqual([['owner@wardhouse.example']]);
  });

  test('is not idempotent, and has the configured rate', () => {
    const { confirmations, newsletter } = subscriberMail;
    expect(newsletter).toMatchObject({ name: 'newsletter', perSecond: 7, concurrency: 5 });
    expect(confirmations).toMatchObject({ name: 'confirmations', perSecond: 5, concurrency: 2 });
    for (const line of [confirmations, newsletter])
      expect(line).toMatchObject({ isAtMostOnce: true, isIdempotent: false });
  });

  test.each([
    ['550 5.1.1 nobody', { kind: 'permanent', why: 'answered 550 5.1.1 to RCPT TO', isUnknownMailbox: true }],
    ['552 5.2.2 full', { kind: 'permanent', why: 'answered 552 5.2.2 to RCPT TO', isUnknownMailbox: false }],
    ['450 4.2.0 later', { kind: 'retry', why: 'answered 450 4.2.0 to RCPT TO', isAmbiguous: false }],
    ['554 5.7.1 not you', { kind: 'retry', why: 'answered 554 5.7.1 to RCPT TO', isAmbiguous: false }],
  ])('whose recipient is answered with %s ends as it should', async (reply, outcome) => {
    server.script({ at: 'recipient', kind: 'answer', reply });
    expect(await subscriberMail.newsletter.deliver(issue, attempt)).toEqual(outcome);
  });

  test('waits while SITE_URL is unset', async () => {
    const outcome = await create({ links: undefined }).newsletter.deliver(issue, attempt);
    expect(outcome).toMatchObject({ kind: 'misconfigured', why: expect.stringContaining('SITE_URL') });
  });

  test('whose text cannot be read was not sent', async () => {
    const broken = create({
      texts() {
        throw new Error('content/site.yaml line 1: is missing\nand more');
      },
    });
    const why = 'could not be written: content/site.yaml line 1: is missing';
    const outcome = await broken.confirmations.deliver(confirmation, attempt);
    expect(outcome).toEqual({ kind: 'retry', why, isAmbiguous: false });
  });

  test('gets no recipient, header or text from its address', async () => {
    const usual = await received(confirmation);
    const names = (mail: ReceivedMail) => mail.headers.map(([name]) => name);
    await fc.assert(
      fc.asyncProperty(fc.oneof(possible, hostile), async given => {
        server.mails.splice(0);
        const outcome = await subscriberMail.confirmations.deliver({ ...confirmation, to: given }, attempt);
        if (outcome.kind !== 'delivered') {
          expect({ outcome, mails: server.mails }).toEqual({
            outcome: { kind: 'permanent', why: 'its address is not valid', isUnknownMailbox: false },
            mails: [],
          });
          return;
        }
        const [mail, ...more] = server.mails;
        expect(more).toEqual([]);
        expect(mail?.to).toEqual([given]);
        expect(mail?.header('To')).toBe(asHeader(given));
        expect(names(mail as ReceivedMail)).toEqual(names(usual));
        expect(mail?.header('Subject')).toBe(usual.header('Subject'));
        expect(mail?.text).toBe(usual.text);
      }),
      { numRuns: 120, examples: [['.a@b.example'], ['a.@b.example'], ['a..c@b.example']] },
    );
  });
});

test('without a mail server subscriber mails are files, the same on each attempt', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wardhouse-letters-'));
  const mail = { smtp: undefined, from: 'website@localhost' };
  const { newsletter } = createSubscriberMail({ mail, perSecond: 5 }, { dataDir, texts: () => words, links });
  expect(newsletter.isIdempotent).toBe(true);
  await newsletter.deliver(issue, attempt);
  await newsletter.deliver(issue, attempt);
  const [file = '', ...more] = readdirSync(join(dataDir, 'mail'));
  expect(more).toEqual([]);
  const { text } = readMail({ from: '', to: [], raw: readFileSync(join(dataDir, 'mail', file)) });
  expect(text).toContain(links.leave(subscriber));
  rmSync(dataDir, { recursive: true });
});

/** What may be an address, the signs of templates and of replacing text among it. */
const possible = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'Z', '9', '{link}', '{{leave}}', '$&', "'", '=', '|', '~', '+', '#', '-'), {
      minLength: 1,
      maxLength: 7,
    }),
    fc.constantFrom('mail.example', 'xn--exmple-cua.com', 'a.b-c.example'),
  )
  .map(([local, host]) => `${local.join('')}@${host}`);

const hostile = fc
  .array(
    fc.constantFrom(
      'a@b.example',
      'c',
      '@',
      '.',
      ',',
      ';',
      ':',
      ' ',
      '<',
      '>',
      '"',
      '\\',
      '(',
      ')',
      '[127.0.0.1]',
      '\r\n',
      '\n',
      '\0',
      '\r\nBcc: x@y.example',
      '\r\n\r\nbody',
      '> SIZE=9\r\nRCPT TO:<x@y.example',
      '=?UTF-8?Q?x?=',
      '%0d%0a',
      'é',
      '\u2028',
      '\u202e',
      'group:',
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map(parts => parts.join(''));

/** RFC 5322: a name with a dot at an end, or two in a row, stands in quotes; it is the same address. */
function asHeader(address: string): string {
  const [local = '', host] = address.split('@');
  return /^\.|\.\.|\.$/.test(local) ? `<"${local}"@${host}>` : address;
}

/** RFC 2047, by Q alone: what stands between two encoded words is none of the text. */
function decodeWords(value: string): string {
  return value.replaceAll(/\?=\s+=\?/g, '?==?').replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, word: string) =>
    Buffer.from(
      word
        .replaceAll('_', ' ')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8'),
  );
}

function withoutParents(key: string, value: unknown): unknown {
  return key === 'parentNode' ? undefined : value;
}
