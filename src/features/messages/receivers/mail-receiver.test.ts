import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSmtpServer } from '../../../../tests/fakes/smtp-server.ts';
import { findUnquotedText } from '../../../../tests/harness/injection-checks.ts';
import { attempt, hostileText, samplePayload } from '../../../../tests/harness/sample-payload.ts';
import type { MessagePayload } from '../payloads.ts';
import { createMailReceiver } from './mail-receiver.ts';

const addresses = { from: 'website@wardhouse.example', to: 'owner@wardhouse.example' };

const server = await createSmtpServer();
const smtp = { host: '127.0.0.1', port: server.port, encryption: 'none' } as const;
const mail = createMailReceiver({ smtp, ...addresses, perSecond: 5 }, { dataDir: '/nowhere' });
beforeEach(() => server.mails.splice(0));
afterAll(async () => {
  mail.close();
  await server[Symbol.asyncDispose]();
});

async function received(message: Partial<MessagePayload>, isPossibleDuplicate = false) {
  const outcome = await mail.deliver({ ...samplePayload, ...message }, { ...attempt, isPossibleDuplicate });
  expect(outcome).toEqual({ kind: 'delivered' });
  return server.mails.at(-1) ?? expect.fail('no mail has arrived');
}

test('a mail to the owner says who wrote what and when, and is answered to the visitor', async () => {
  const { from, to, header, subject, text } = await received({
    name: 'Zoë Müller',
    email: ' zoe@example.com ',
    message: 'Good morning,\r\n\tplease call.\n.\n',
    service: 'malware',
    auditReport: 'r1',
  });
  expect({ from, to }).toEqual({ ...addresses, to: [addresses.to] });
  expect(subject).toBe('Message from Zoë Müller (ABCDE-FGHJK)');
  expect([header('From'), header('To')]).toEqual([addresses.from, addresses.to]);
  expect(header('Reply-To')).toBe('=?UTF-8?Q?Zo=C3=AB_M=C3=BCller?= <zoe@example.com>');
  expect(header('Message-ID')).toBe('<ABCDE-FGHJK@wardhouse.example>');
  expect(header('Date')).toBe('Fri, 02 Jan 2026 03:04:05 +0000');
  expect(header('Auto-Submitted')).toBe('auto-generated');
  expect(text).toContain('\nEmail:     zoe@example.com\nService:   malware\n');
  expect(text).toContain('npm run inbox -- show ABCDE-FGHJK');
  expect(text.trimEnd()).toMatch(/\n\| Good morning,\n\| \tplease call\.\n\| \.$/);
});

test('it is the same on each attempt, and marked as a possible duplicate', async () => {
  const first = await received({});
  expect((await received({})).raw).toBe(first.raw);
  const marked = await received({}, true);
  expect(marked.header('Message-ID')).toBe(first.header('Message-ID'));
  expect([first, marked].map(({ header }) => header('X-Possible-Duplicate'))).toEqual([undefined, 'yes']);
  expect(marked.text.trimEnd()).toMatch(/\nThis email may arrive twice.*ABCDE-FGHJK\.$/);
});

test.each([
  ...['', 'Ann\r\nBcc: x@y.example', 'Ann "root" <x@y.example>', '\u202eAnn', '=?UTF-8?Q?x?='],
  // Like a reference.
  'LMNPQ-RSTUV',
])('the name %j is in no header; the address is', async name => {
  const { header } = await received({ name, email: "o'hara+x@exämple.com" });
  const address = "o'hara+x@xn--exmple-cua.com";
  expect(header('Reply-To')).toBe(address);
  expect(header('Subject')).toBe(`Message from ${address} (ABCDE-FGHJK)`);
});

test.each([
  ...['zoë@example.com', 'a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example', '<a@b.example>'],
  ...['"a b"@c.example', 'a@[127.0.0.1]', 'group:a@b.example'],
  '=?utf-8?B?DQpCY2M6IGNAZC5leGFtcGxl?=@b.example',
])('the address %j is in no header', async email => {
  const { header } = await received({ name: '', email });
  expect([header('Reply-To'), header('Subject')]).toEqual([undefined, 'Website message ABCDE-FGHJK']);
});

test('visitor input makes no header, recipient, part or line of our own', async () => {
  const { headers: usual } = await received({});
  const allowed = new Set(usual.map(([name]) => name));
  const hostile = hostileText([
    ...['\r\n', '\n', '\r', '\0', '=?', '?=', '--', ...'. ,;:<>"\\@'],
    ...['Bcc: x@y.example', 'Subject: faked', 'RCPT TO:<x@y.example>', 'Reference: FAKED', 'x@y.example'],
    ...['\r\n.\r\n', '\r\n\r\n', '=0D=0A', '%0d%0a', '\u2028', '\u202e', '\u2069', 'é', 'ש', '\ud800'],
  ]);
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, hostile, async (name, email, message, service) => {
      const { from, to, headers, header, subject, text } = await received({ name, email, message, service });
      expect({ from, to }).toEqual({ ...addresses, to: [addresses.to] });
      const names = headers.map(([one]) => one);
      expect(names.filter(one => !allowed.has(one))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      expect(header('To')).toBe(addresses.to);
      expect(subject).toMatch(/^(Message from \P{Cc}+ \(ABCDE-FGHJK\)|Website message ABCDE-FGHJK)$/u);
      expect(header('Content-Type')).toBe('text/plain; charset=utf-8');
      expect(header('Reply-To')?.match(/@/g)?.length ?? 1).toBe(1);
      expect(findUnquotedText(text)).toEqual([]);
    }),
    { numRuns: 80 },
  );
});
