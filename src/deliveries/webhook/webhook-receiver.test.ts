import { timingSafeEqual, webcrypto } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Behaviour,
  createHttpService,
  type HttpService,
  type ReceivedRequest,
} from '../../../tests/fakes/http-service.ts';
import type { MessagePayload, NoticePayload } from '../delivery.ts';
import { sign } from './standard-webhook.ts';
import { createWebhookReceiver, type WebhookSettings } from './webhook-receiver.ts';

const payload: MessagePayload = {
  kind: 'message',
  reference: 'ABCDE-FGHJK',
  receivedAt: '2026-01-02T03:04:05.678Z',
  name: 'Zoë',
  email: 'zoe@example.com',
  message: 'one\r\n\ttwo\u202e 👩🏽‍💻',
  service: 'malware',
};
const notice: NoticePayload = {
  kind: 'notice',
  reference: 'N-1',
  receivedAt: '2026-01-02T03:04:05.678Z',
  title: 'The sheet is paused',
  text: 'It answered <401> & more.\n',
};
const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
const clock = { now: () => new Date('2026-01-02T04:00:00.999Z') };
const secrets = [Buffer.alloc(32, 7), Buffer.alloc(24, 9)];

let service: HttpService;
beforeAll(async () => {
  service = await createHttpService(() => ({ status: 204 }));
});
beforeEach(() => {
  service.requests.splice(0);
  service.script([]);
});
afterAll(() => service[Symbol.asyncDispose]());

type Style = WebhookSettings['style'];

function create(style: Style = 'standard') {
  const url = `${service.origin}/T0/B0/token`;
  const settings = style === 'standard' ? { style, secrets } : { style };
  return createWebhookReceiver({ url, perSecond: 10, ...settings }, { clock });
}

async function sent(
  style: Style,
  message: Partial<MessagePayload> | NoticePayload,
  isPossibleDuplicate = false,
) {
  const whole = message.kind === 'notice' ? message : { ...payload, ...message };
  const outcome = await create(style).deliver(whole, { ...attempt, isPossibleDuplicate });
  expect(outcome).toEqual({ kind: 'delivered' });
  const seen = service.requests.at(-1) as ReceivedRequest;
  return { seen, body: JSON.parse(seen.body) };
}

describe('a signed call', () => {
  test('contains the message exactly as it was stored', async () => {
    const { seen, body } = await sent('standard', {});
    expect(seen).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(seen.url.pathname).toBe('/T0/B0/token');
    const { receivedAt, kind: _, ...words } = payload;
    expect(body).toEqual({
      type: 'message.received',
      timestamp: receivedAt,
      data: { ...words, received_at: receivedAt },
    });
  });

  test('contains a notice', async () => {
    const { body } = await sent('standard', notice);
    const { reference, title, text, receivedAt } = notice;
    expect(body).toEqual({ type: 'site.notice', timestamp: receivedAt, data: { reference, title, text } });
  });

  test('has the same id on each attempt, the time of the attempt, and a mark for possible duplicates', async () => {
    const first = await sent('standard', {});
    const again = await sent('standard', {}, true);
    for (const { seen } of [first, again]) {
      expect(seen.headers['webhook-id']).toBe('ABCDE-FGHJK');
      expect(seen.headers['webhook-timestamp']).toBe('1767326400');
    }
    expect(first.body.possibly_twice).toBeUndefined();
    expect(again.body).toEqual({ ...first.body, possibly_twice: true });
  });

  test('is verified by either secret, with any body, and by no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (message, name) => {
        const { seen } = await sent('standard', { message, name });
        for (const secret of secrets) expect(await isProven(seen, secret)).toBe(true);
        expect(await isProven(seen, Buffer.alloc(32, 8))).toBe(false);
        expect(await isProven({ ...seen, body: `${seen.body} ` }, secrets[0])).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

test('the example of the specification has the expected signature', () => {
  // The test vector that the libraries of Standard Webhooks share.
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const headers = sign(
    [secret],
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1614265330_000),
    '{"test": 2432232314}',
  );
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

describe('a message in Slack', () => {
  test('says who wrote what, without formatting or previews', async () => {
    const { seen, body } = await sent('slack', {});
    expect(body).toEqual({
      text: 'Website message ABCDE-FGHJK\nName: Zoë\nE-mail: zoe@example.com\nService: malware\n| one\n| \ttwo[U+202E] 👩🏽‍💻',
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    });
    expect(seen.headers['webhook-signature']).toBeUndefined();
  });

  test('leaves out empty fields, and ends with the mark of a possible duplicate', async () => {
    const { body } = await sent('slack', { name: '', email: ' ', service: '', message: 'x' }, true);
    expect(body.text).toBe('Website message ABCDE-FGHJK\n| x\n(possibly twice: same reference)');
  });

  test('shows a notice with its reference', async () => {
    const { body } = await sent('slack', notice);
    expect(body.text).toBe('The sheet is paused\nIt answered &lt;401&gt; &amp; more.\nReference: N-1');
  });

  test.each([
    [
      '<!channel> <@U1> <https://evil.example|bank>',
      '&lt;!channel&gt; &lt;@\u200bU1&gt; &lt;https://evil.example|bank&gt;',
    ],
    ['@here, @channel!', '@\u200bhere, @\u200bchannel!'],
    ['write to a.b@example.com', 'write to a.b@example.com'],
    ['&lt;!here&gt;', '&amp;lt;!here&amp;gt;'],
  ])('calls nobody and links nowhere by %j', async (message, expected) => {
    const { body } = await sent('slack', { message });
    expect(body.text.split('\n').at(-1)).toBe(`| ${expected}`);
  });

  test('has no Slack markup, whatever a visitor typed', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, hostile, async (name, email, message, service) => {
        const { body } = await sent('slack', { name, email, message, service });
        expect(body.text).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
        expect(body.text).not.toMatch(/(?<![\p{L}\p{N}])@(here|channel|everyone|all)/iu);
        const lines: string[] = body.text.split('\n');
        const rest = lines.slice(1).filter(line => !/^(Name: |E-mail: |Service: |\||\(shortened)/.test(line));
        expect(rest).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a message in Teams', () => {
  test('is a card with one text block per line', async () => {
    const { body } = await sent('teams', { message: 'one\n\n*two*' }, true);
    const [{ contentType, content }] = body.attachments;
    expect(body.type).toBe('message');
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(
      new Set(content.body.map(({ type, wrap }: { type: string; wrap: boolean }) => `${type} ${wrap}`)),
    ).toEqual(new Set(['TextBlock true']));
    expect(content.body.map(({ text }: { text: string }) => text)).toEqual([
      'Website message ABCDE-FGHJK',
      'Name: Zoë',
      'E-mail: zoe@example.com',
      'Service: malware',
      '\\| one',
      '\\|',
      '\\| \\*two\\*',
      '\\(possibly twice: same reference\\)',
    ]);
  });

  test('escapes Markdown and all other markup', async () => {
    const obeyed = /(?<!\\)(\\\\)*[`*_{}[\]()<>#~|!&$]|^\s*([-+=]|\d+[.)])/;
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (name, message) => {
        const { body } = await sent('teams', { name, message });
        const texts: string[] = body.attachments[0].content.body.map(({ text }: { text: string }) => text);
        expect(texts.filter(text => obeyed.test(text))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe.each(['slack', 'teams'] as const)('a long message in %s', style => {
  test.each(['\0', '<', '&', '[', '👩', '\n', 'a '])('of %j is shortened, and says so', async letter => {
    const long = letter.repeat(30_000);
    const { seen, body } = await sent(style, { message: `x${long}x`, name: long, service: long });
    expect(Buffer.byteLength(seen.body)).toBeLessThan(28 * 1024);
    expect(JSON.stringify(body)).toContain('shortened: the whole text is in the database');
  });
});

describe('a response', () => {
  test.each<[Behaviour, object]>([
    [{ kind: 'answer', status: 200, body: 'ok' }, { kind: 'delivered' }],
    [{ kind: 'answer', status: 202 }, { kind: 'delivered' }],
    [
      { kind: 'answer', status: 301, headers: { location: '/' } },
      { kind: 'retry', isAmbiguous: false },
    ],
    [{ kind: 'answer', status: 401 }, { kind: 'misconfigured' }],
    [
      { kind: 'answer', status: 403, headers: { 'retry-after': '3600' } },
      { kind: 'retry', isAmbiguous: false, isRefused: true },
    ],
    [
      { kind: 'answer', status: 429, headers: { 'retry-after': '30' } },
      { kind: 'retry', retryAfterMs: 30_000 },
    ],
    [
      { kind: 'answer', status: 500 },
      { kind: 'retry', isAmbiguous: true },
    ],
    [{ kind: 'reset' }, { kind: 'retry', isAmbiguous: true }],
  ])('such as %j means %j', async (behaviour, expected) => {
    service.script([behaviour]);
    const outcome = await create().deliver(payload, attempt);
    expect(outcome).toMatchObject(expected);
    expect(JSON.stringify(outcome)).not.toMatch(/token|Zoë/);
  });

  test('is not awaited once the attempt is aborted', async () => {
    service.script([{ kind: 'hang' }]);
    const outcome = await create().deliver(payload, { ...attempt, signal: AbortSignal.timeout(100) });
    expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous: true });
  });
});

test('the destination contains no credential', () => {
  expect(create('slack').destination).toBe(new URL(service.origin).host);
});

/** Checks a call as its receiver would, with another implementation than the one that signed. */
async function isProven({ headers, body }: ReceivedRequest, secret = Buffer.alloc(0)): Promise<boolean> {
  const key = await webcrypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = Buffer.from(await webcrypto.subtle.sign('HMAC', key, Buffer.from(content)));
  return String(headers['webhook-signature'])
    .split(' ')
    .map(one => one.split(','))
    .some(([version, signature = '']) => {
      const given = Buffer.from(signature, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
}

/** Text made of what chats take for signs, and of anything else. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('<!channel>', '@here', '<@U1>', '&lt;', '&', '<', '>', '|', '\n', '\r', '\u2028', ' '),
      fc.constantFrom(
        '[a](https://x.example)',
        '**',
        '__',
        '`',
        '#',
        '- ',
        '1. ',
        '{{DATE(',
        '\\',
        '<at>x</at>',
        '~',
      ),
      fc.string({ unit: 'binary', maxLength: 10 }),
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(''));
