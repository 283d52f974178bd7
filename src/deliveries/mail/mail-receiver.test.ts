import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSmtpServer, type FakeSmtpServer } from '../../../tests/fakes/smtp-server.ts';
import { findUnquotedText } from '../../../tests/harness/injection-checks.ts';
import { attempt, hostileText, samplePayload } from '../../../tests/harness/sample-payload.ts';
import type { GroupedMessage, MessageGroup, MessagePayload, Receiver } from '../delivery.ts';
import { createGroupMail } from './group-mail.ts';
import { decodeQuoted } from './mail-copies.ts';
import { createMailReceiver } from './mail-receiver.ts';

let server: FakeSmtpServer;
let mail: Receiver & { close(): void };
const addresses = { from: 'website@wardhouse.example', to: 'owner@wardhouse.example' };

beforeAll(async () => {
  server = await createSmtpServer();
  const smtp = { host: '127.0.0.1', port: server.port, encryption: 'none' } as const;
  mail = createMailReceiver({ smtp, ...addresses, perSecond: 5 }, { dataDir: '/nowhere' });
});
beforeEach(() => server.mails.splice(0));
afterAll(async () => {
  mail.close();
  await server[Symbol.asyncDispose]();
});

async function received(message: Partial<MessagePayload>, isPossibleDuplicate = false) {
  const outcome = await mail.deliver({ ...samplePayload, ...message }, { ...attempt, isPossibleDuplicate });
  expect(outcome).toEqual({ kind: 'delivered' });
  const last = server.mails.at(-1);
  if (!last) throw new Error('no mail has arrived');
  return last;
}

function decodeWords(header = ''): string {
  return header
    .replaceAll(/\?= =\?UTF-8\?[QB]\?/g, '')
    .replace(/^=\?UTF-8\?B\?(.*)\?=$/, (_, base64) => Buffer.from(base64, 'base64').toString())
    .replace(/^=\?UTF-8\?Q\?(.*)\?=$/, (_, quoted) => decodeQuoted(quoted.replaceAll('_', ' ')));
}

test('a mail to the owner says who wrote what and when, and is answered to the visitor', async () => {
  const { from, to, header, text } = await received({
    name: 'Zoë Müller',
    email: ' zoe@example.com ',
    message: 'Good morning,\r\n\tplease call.\n.\n',
    service: 'malware',
  });
  expect({ from, to }).toEqual({ ...addresses, to: [addresses.to] });
  expect(decodeWords(header('Subject'))).toBe('Message from Zoë Müller (ABCDE-FGHJK)');
  expect(header('From')).toBe(addresses.from);
  expect(header('To')).toBe(addresses.to);
  expect(header('Reply-To')).toBe('=?UTF-8?Q?Zo=C3=AB_M=C3=BCller?= <zoe@example.com>');
  expect(header('Message-ID')).toBe('<ABCDE-FGHJK@wardhouse.example>');
  expect(header('Date')).toBe('Fri, 02 Jan 2026 03:04:05 +0000');
  expect(header('Auto-Submitted')).toBe('auto-generated');
  expect(text.trimEnd().split('\n')).toEqual([
    'Name:      Zoë Müller',
    'Email:     zoe@example.com',
    'Service:   malware',
    'Received:  2026-01-02 03:04:05 UTC',
    'Reference: ABCDE-FGHJK',
    '',
    'Reply to this email to answer the visitor.',
    'The message, each line after a bar:',
    '',
    '| Good morning,',
    '| \tplease call.',
    '| .',
  ]);
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
  ['', 'zoe@exämple.com', 'zoe@xn--exmple-cua.com'],
  ['', "o'hara+x@example.com", "o'hara+x@example.com"],
  ['', 'zoë@example.com', undefined],
  ['', 'a@b.example, c@d.example', undefined],
  ['', 'a@b.example\r\nBcc: c@d.example', undefined],
  ['', '<a@b.example>', undefined],
  ['', '"a b"@c.example', undefined],
  ['', 'a@[127.0.0.1]', undefined],
  ['', 'group:a@b.example', undefined],
  ['', '=?utf-8?B?DQpCY2M6IGNAZC5leGFtcGxl?=@b.example', undefined],
  ['Ann "root" <x@y.example>', 'zoe@example.com', 'zoe@example.com'],
  ['a@b.example', 'zoe@example.com', 'zoe@example.com'],
  ['Ann, Bob', 'zoe@example.com', 'zoe@example.com'],
  ['Ann\r\nBcc: x@y.example', 'zoe@example.com', 'zoe@example.com'],
  ['=?UTF-8?Q?x?=', 'zoe@example.com', 'zoe@example.com'],
  ['\u202eAnn', 'zoe@example.com', 'zoe@example.com'],
])('a reply to a visitor with the name %j and the address %j goes to %s', async (name, email, expected) => {
  const { header } = await received({ name, email });
  expect(header('Reply-To')).toBe(expected);
});

test.each([
  ['Ann Lee', 'ann@example.com', 'Message from Ann Lee (ABCDE-FGHJK)'],
  [" Jo O'Hara-Lee Jr. ", '', "Message from Jo O'Hara-Lee Jr. (ABCDE-FGHJK)"],
  ['Ann\r\nBcc: x@y.example', 'ann@example.com', 'Message from ann@example.com (ABCDE-FGHJK)'],
  ['LMNPQ-RSTUV', 'ann@example.com', 'Message from ann@example.com (ABCDE-FGHJK)'],
  ['\u202eAnn', 'ann@example.com', 'Message from ann@example.com (ABCDE-FGHJK)'],
  ['=?UTF-8?Q?x?=', '=?x?=@b.example', 'Website message ABCDE-FGHJK'],
  ['Ann <x@y.example>', '', 'Website message ABCDE-FGHJK'],
  ['', 'a@b.example\r\nBcc: c@d.example', 'Website message ABCDE-FGHJK'],
])('the subject for the name %j and the address %j is %s', async (name, email, expected) => {
  expect((await received({ name, email })).header('Subject')).toBe(expected);
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
      const { from, to, headers, header, text } = await received({ name, email, message, service });
      expect({ from, to }).toEqual({ ...addresses, to: [addresses.to] });
      const names = headers.map(([one]) => one);
      expect(names.filter(one => !allowed.has(one))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      expect(header('To')).toBe(addresses.to);
      expect(decodeWords(header('Subject'))).toMatch(
        /^(Message from \P{Cc}+ \(ABCDE-FGHJK\)|Website message ABCDE-FGHJK)$/u,
      );
      expect(header('Content-Type')).toBe('text/plain; charset=utf-8');
      expect(header('Reply-To')?.match(/@/g)?.length ?? 1).toBe(1);
      expect(findUnquotedText(text)).toEqual([]);
    }),
    { numRuns: 80 },
  );
});

describe('a mail about many messages', () => {
  const first: GroupedMessage = {
    ...samplePayload,
    message: 'Good morning,\r\nplease call.\n',
    isTruncated: false,
    isPossibleDuplicate: false,
  };
  const second = { ...first, reference: 'LMNPQ-RSTUV', receivedAt: '2026-01-02T03:03:05.678Z' };
  const group: MessageGroup = {
    reference: 'GROUP-00001',
    at: '2026-01-02T03:14:05.678Z',
    messages: [first, second],
    waiting: 0,
    hasTexts: true,
  };
  const write = (about: Partial<MessageGroup>) =>
    createGroupMail({ ...group, ...about }, 'owner@example.com');

  test('lists each message with reference, sender and text, and has no Reply-To', async () => {
    expect(await mail.deliverGroup?.(group, AbortSignal.timeout(10_000))).toEqual({ kind: 'delivered' });
    const [got] = server.mails;
    expect(got?.header('Subject')).toBe('Website: 2 messages');
    expect(got?.header('Message-ID')).toBe('<GROUP-00001@wardhouse.example>');
    expect([got?.header('Reply-To'), got?.header('X-Possible-Duplicate')]).toEqual([undefined, undefined]);
    expect(got?.text).toContain(
      [
        'ABCDE-FGHJK  2026-01-02 03:04:05 UTC',
        'Name:      Zoë',
        'Email:     zoe@example.com',
        'Service:   (not given)',
        '| Good morning,',
        '| please call.',
        '',
        'LMNPQ-RSTUV  2026-01-02 03:03:05 UTC',
      ].join('\n'),
    );
  });

  test('marks possible duplicates, shortened messages and what waits for the next mail', () => {
    const messages = [
      { ...first, isPossibleDuplicate: true },
      { ...second, isTruncated: true },
    ];
    const { text, headers } = write({ messages, waiting: 1234 });
    expect(text).toContain('03:04:05 UTC  (possible duplicate)\n');
    expect(text).toContain('03:03:05 UTC\n');
    expect(headers).toEqual({ 'X-Possible-Duplicate': 'yes' });
    expect(text.match(/^\(shortened: .*\)$/gm)).toEqual(['(shortened: npm run inbox -- show LMNPQ-RSTUV)']);
    expect(text).toContain('1234 more will be in the next email.');
    expect(text).toContain('npm run inbox -- list --since 2026-01-02T03:03Z');
  });

  test('lets no visitor input imitate a line of the mail', () => {
    const message = 'a\u2028FAKED-FAKED\r\n\r\nFAKED-FAKED\u202e';
    const { text, subject } = write({ messages: [{ ...first, name: 'Eve\nFAKED-FAKED', message }, second] });
    expect(text.split('\n').filter(line => line.startsWith('FAKED'))).toEqual([]);
    expect(text).toContain('| FAKED-FAKED[U+202E]');
    expect(subject).toBe('Website: 2 messages');
  });

  test('contains no visitor text after the mail server rejected it', () => {
    const { text } = write({ hasTexts: false });
    for (const words of ['Zoë', 'zoe@example.com', 'morning']) expect(text).not.toContain(words);
    for (const { reference } of group.messages) expect(text).toContain(reference);
    expect(text).toContain('npm run inbox -- list --since 2026-01-02T03:03Z');
  });
});
