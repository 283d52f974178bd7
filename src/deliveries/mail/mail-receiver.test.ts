import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSmtpServer, type FakeSmtpServer } from '../../../tests/fakes/smtp-server.ts';
import type { MessagePayload, NoticePayload, Receiver } from '../delivery.ts';
import { createMailReceiver } from './mail-receiver.ts';

const payload: MessagePayload = {
  kind: 'message',
  reference: 'ABCDE-FGHJK',
  receivedAt: '2026-01-02T03:04:05.678Z',
  name: 'Zoë Müller',
  email: ' zoe@example.com ',
  message: 'Good morning,\r\n\tplease call.\n.\n',
  service: 'malware',
};
const notice: NoticePayload = {
  kind: 'notice',
  reference: 'N-1',
  receivedAt: '2026-01-02T03:04:05.678Z',
  title: 'The sheet is paused',
  text: 'It answered 401.\n',
};
const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };

describe('a mail to the owner', () => {
  let server: FakeSmtpServer;
  let mail: Receiver & { close(): void };

  beforeAll(async () => {
    server = await createSmtpServer();
    mail = createMailReceiver(
      {
        smtp: { host: '127.0.0.1', port: server.port, encryption: 'none' },
        from: 'website@wardhouse.example',
        to: 'owner@wardhouse.example',
        perSecond: 5,
      },
      { dataDir: '/nowhere' },
    );
  });
  beforeEach(() => server.mails.splice(0));
  afterAll(async () => {
    mail.close();
    await server[Symbol.asyncDispose]();
  });

  async function received(message: Partial<MessagePayload>, isPossibleDuplicate = false) {
    const outcome = await mail.deliver({ ...payload, ...message }, { ...attempt, isPossibleDuplicate });
    expect(outcome).toEqual({ kind: 'delivered' });
    const last = server.mails.at(-1);
    if (!last) throw new Error('no mail has arrived');
    return last;
  }

  test('says who wrote what and when, with a subject without visitor input', async () => {
    const { from, to, header, text } = await received({});
    expect({ from, to }).toEqual({ from: 'website@wardhouse.example', to: ['owner@wardhouse.example'] });
    expect(header('Subject')).toBe('Website message ABCDE-FGHJK');
    expect(header('From')).toBe('website@wardhouse.example');
    expect(header('To')).toBe('owner@wardhouse.example');
    expect(header('Reply-To')).toBe('=?UTF-8?Q?Zo=C3=AB_M=C3=BCller?= <zoe@example.com>');
    expect(header('Message-ID')).toBe('<ABCDE-FGHJK@wardhouse.example>');
    expect(header('Date')).toBe('Fri, 02 Jan 2026 03:04:05 +0000');
    expect(header('Auto-Submitted')).toBe('auto-generated');
    expect(header('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(text.trimEnd().split('\n')).toEqual([
      'Name:      Zoë Müller',
      'E-mail:    zoe@example.com',
      'Service:   malware',
      'Received:  2026-01-02 03:04:05 UTC',
      'Reference: ABCDE-FGHJK',
      '',
      'An answer to this mail goes to the visitor.',
      'What the visitor wrote, each line after a bar:',
      '',
      '| Good morning,',
      '| \tplease call.',
      '| .',
    ]);
  });

  test('says which fields are empty, and that there is no reply address', async () => {
    const { header, text } = await received({ name: ' ', email: '', service: '' });
    expect(header('Reply-To')).toBeUndefined();
    expect(text).toContain('Name:      (not given)\nE-mail:    (not given)\nService:   (not given)\n');
    expect(text).toContain('gave no e-mail address that an answer');
  });

  test('is the same on each attempt, and marked as a possible duplicate', async () => {
    const first = await received({});
    const again = await received({});
    expect(again.raw).toBe(first.raw);
    const marked = await received({}, true);
    expect(marked.header('Message-ID')).toBe(first.header('Message-ID'));
    expect(first.header('X-Possibly-Twice')).toBeUndefined();
    expect(marked.header('X-Possibly-Twice')).toBe('yes');
    const lastLine = marked.text.trimEnd().split('\n').at(-1);
    expect(lastLine).toMatch(/^This mail may arrive twice.*ABCDE-FGHJK\.$/);
  });

  test('with a notice has the title of the notice', async () => {
    expect(await mail.deliver(notice, attempt)).toEqual({ kind: 'delivered' });
    const [got] = server.mails;
    expect(got?.header('Subject')).toBe('The sheet is paused');
    expect(got?.header('Reply-To')).toBeUndefined();
    expect(got?.text.trimEnd()).toBe('It answered 401.');
  });

  test.each([
    ['zoe@exämple.com', '<zoe@xn--exmple-cua.com>'],
    ["o'hara+x@example.com", "<o'hara+x@example.com>"],
    ['zoë@example.com', undefined],
    ['a@b.example, c@d.example', undefined],
    ['a@b.example\r\nBcc: c@d.example', undefined],
    ['<a@b.example>', undefined],
    ['"a b"@c.example', undefined],
    ['a@[127.0.0.1]', undefined],
    ['a@b.example;', undefined],
    ['group:a@b.example', undefined],
    ['=?utf-8?B?DQpCY2M6IGNAZC5leGFtcGxl?=@b.example', undefined],
  ])('to be answered at %j goes back to %s', async (email, expected) => {
    const { header } = await received({ name: '', email });
    expect(header('Reply-To')).toBe(expected?.replace(/^<(.*)>$/, '$1'));
  });

  test.each([
    'Ann "root" <x@y.example>',
    'a@b.example',
    'Ann, Bob',
    'Ann\r\nBcc: x@y.example',
    '=?UTF-8?Q?x?=',
    '\u202eAnn',
  ])('leaves a name such as %j out of the headers', async name => {
    const { header } = await received({ name });
    expect(header('Reply-To')).toBe('zoe@example.com');
  });

  test('lets no visitor input imitate or reverse a line of the mail', async () => {
    const { text } = await received({
      name: 'Eve\nReference: FAKED-FAKED',
      message: 'a\u2028Reference: FAKED\vb\u0085c\rd\u001b[31m\u202eevil\u2066\0',
      service: 'שלום',
    });
    expect(text).toContain('Name:      Eve[U+000A]Reference: FAKED-FAKED\n');
    expect(text).toContain('Service:   \u2068שלום\u2069\n');
    const quoted = text.trimEnd().split('\n').slice(9);
    expect(quoted).toEqual([
      '| a',
      '| Reference: FAKED',
      '| b',
      '| c',
      '| d[U+001B][31m[U+202E]evil[U+2066][U+0000]',
    ]);
  });

  test('gets no header, recipient or part from visitor input', async () => {
    const known = ['Content-Transfer-Encoding', 'Auto-Submitted', 'From', 'To', 'Reply-To', 'Subject'];
    const allowed = new Set([...known, 'Message-ID', 'Date', 'MIME-Version', 'Content-Type']);
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, hostile, async (name, email, message, service) => {
        const { from, to, headers, header, text } = await received({ name, email, message, service });
        expect({ from, to }).toEqual({ from: 'website@wardhouse.example', to: ['owner@wardhouse.example'] });
        expect(headers.map(([one]) => one).filter(one => !allowed.has(one))).toEqual([]);
        expect(new Set(headers.map(([one]) => one)).size).toBe(headers.length);
        expect(header('To')).toBe('owner@wardhouse.example');
        expect(header('Subject')).toBe('Website message ABCDE-FGHJK');
        expect(header('Content-Type')).toBe('text/plain; charset=utf-8');
        expect(header('Reply-To')?.match(/@/g)?.length ?? 1).toBe(1);
        const lines = text.trimEnd().split('\n');
        expect(lines.slice(0, 5).map(line => line.slice(0, 11))).toEqual([
          'Name:      ',
          'E-mail:    ',
          'Service:   ',
          'Received:  ',
          'Reference: ',
        ]);
        expect(lines.slice(9).filter(line => !line.startsWith('|'))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

/** Text made of what mail headers, SMTP and MIME take for signs, and of anything else. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '.',
        ' ',
        ',',
        ';',
        ':',
        '<',
        '>',
        '"',
        '\\',
        '@',
        '=?',
        '?=',
        '\0',
        '--',
      ),
      fc.constantFrom('Bcc: x@y.example', 'Subject: faked', 'RCPT TO:<x@y.example>', 'x@y.example', '\u2028'),
      fc.constantFrom('\r\n.\r\n', '\r\n\r\n', '=0D=0A', '%0d%0a', '\u202e', '\u2069', 'é', '\ud800'),
      fc.string({ unit: 'binary', maxLength: 12 }),
    ),
    { maxLength: 14 },
  )
  .map(parts => parts.join(''));
