import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createHttpService,
  type HttpService,
  type ReceivedRequest,
} from '../../../tests/fakes/http-service.ts';
import { attempt, hostileText, samplePayload } from '../../../tests/harness/sample-payload.ts';
import type { MessagePayload, NoticePayload } from '../delivery.ts';
import { createNotificationMail } from '../mail/notification-mail.ts';
import { createWebhookReceiver, type WebhookSettings } from './webhook-receiver.ts';

const payload = { ...samplePayload, message: 'one\r\n\ttwo\u202e 👩🏽‍💻', service: 'malware' };
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

/** The text of each block of a Teams card. */
const textsOf = (body: { attachments: { content: { body: { text: string }[] } }[] }) =>
  body.attachments[0]?.content.body.map(({ text }) => text) ?? [];

test('a message about an audit report says so in every form of notification', async () => {
  const about = { ...samplePayload, auditReport: 'r1' };
  const command = 'npm run inbox -- show ABCDE-FGHJK';
  expect((await sent('standard', about)).body.data).toMatchObject({ audit_report: 'r1' });
  expect((await sent('slack', about)).body.text).toContain(command);
  expect(createNotificationMail(about, 'owner@localhost', false).text).toContain(command);
});

describe('a signed call', () => {
  test('contains the message exactly as it was stored, signed with each secret', async () => {
    const { seen, body } = await sent('standard', {});
    expect(seen).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(seen.url.pathname).toBe('/T0/B0/token');
    const { receivedAt, kind: _, ...words } = payload;
    expect(body).toEqual({
      type: 'message.received',
      timestamp: receivedAt,
      data: { ...words, received_at: receivedAt },
    });
    const signed = `ABCDE-FGHJK.1767326400.${seen.body}`;
    const signatures = secrets.map(key => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(seen.headers['webhook-signature']).toBe(signatures.join(' '));
  });

  test('has the same id on each attempt, the time of the attempt, and a mark for possible duplicates', async () => {
    const first = await sent('standard', {});
    const again = await sent('standard', {}, true);
    for (const { seen } of [first, again])
      expect(seen.headers).toMatchObject({
        'webhook-id': 'ABCDE-FGHJK',
        'webhook-timestamp': '1767326400',
      });
    expect(first.body.possible_duplicate).toBeUndefined();
    expect(again.body).toEqual({ ...first.body, possible_duplicate: true, possibly_twice: true });
  });
});

describe('a message in Slack', () => {
  test('says who wrote what, without formatting or previews', async () => {
    const { seen, body } = await sent('slack', {});
    expect(body).toEqual({
      text: 'Website message ABCDE-FGHJK\nName: Zoë\nEmail: zoe@example.com\nService: malware\n| one\n| \ttwo[U+202E] 👩🏽‍💻',
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    });
    expect(seen.headers['webhook-signature']).toBeUndefined();
  });

  test('escapes mentions, and leaves an address as it is', async () => {
    const { body } = await sent('slack', { message: '<!channel> <@U1> @here, a.b@example.com' });
    expect(body.text).toMatch(/\| &lt;!channel&gt; &lt;@\u200bU1&gt; @\u200bhere, a\.b@example\.com$/);
  });
});

test('a message in Teams is a card with one text block per line', async () => {
  const { body } = await sent('teams', { message: 'one\n\n*two*' }, true);
  const content = { type: 'AdaptiveCard', version: '1.4' };
  const card = { contentType: 'application/vnd.microsoft.card.adaptive', content };
  expect(body).toMatchObject({ type: 'message', attachments: [card] });
  expect(body.attachments[0].content.body[0]).toMatchObject({ type: 'TextBlock', wrap: true });
  expect(textsOf(body)).toEqual([
    'Website message ABCDE-FGHJK',
    'Name: Zoë',
    'Email: zoe@example.com',
    'Service: malware',
    '\\| one',
    '\\|',
    '\\| \\*two\\*',
    '\\(possible duplicate: same reference\\)',
  ]);
});

test('a chat gets no markup, whatever a visitor typed', async () => {
  const markdown = /(?<!\\)(\\\\)*[`*_{}[\]()<>#~|!&$]|^\s*([-+=]|\d+[.)])/;
  const hostile = hostileText([
    ...['<!channel>', '@here', '<@U1>', '&lt;', '&', '<', '>', '|', '\n', '\r', '\u2028', ' ', '~', '\\'],
    ...['[a](https://x.example)', '**', '__', '`', '#', '- ', '1. ', '{{DATE(', '<at>x</at>'],
  ]);
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, hostile, async (name, email, message, service) => {
      const fields = { name, email, message, service };
      const { text } = (await sent('slack', fields)).body;
      expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt);)|(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/u);
      const lines: string[] = text.split('\n').slice(1);
      expect(lines.filter(line => !/^(Name: |Email: |Service: |\||\(shortened)/.test(line))).toEqual([]);
      const blocks = textsOf((await sent('teams', fields)).body);
      expect(blocks.filter(block => markdown.test(block))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test.each(['slack', 'teams'] as const)('a long message in %s is shortened, and says so', async style => {
  for (const letter of ['\0', '<', '[', '👩', '\n', 'a ']) {
    const long = letter.repeat(30_000);
    const { seen } = await sent(style, { message: `x${long}x`, name: long, service: long });
    expect(Buffer.byteLength(seen.body), JSON.stringify(letter)).toBeLessThan(28 * 1024);
    expect(seen.body).toContain('shortened: the whole text is in the database');
  }
});

test('the destination contains no credential', () => {
  expect(create('slack').destination).toBe(new URL(service.origin).host);
});
