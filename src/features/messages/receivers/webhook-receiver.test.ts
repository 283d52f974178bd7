import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHttpService, type ReceivedRequest } from '../../../../tests/fakes/http-service.ts';
import { disposeAfterAll } from '../../../../tests/harness/dispose-after-all.ts';
import { findMarkdown, findSlackMarkup } from '../../../../tests/harness/injection-checks.ts';
import { attempt, hostileText, samplePayload } from '../../../../tests/harness/sample-payload.ts';
import type { MessagePayload } from '../payloads.ts';
import type { WebhookSettings } from '../settings/webhook-settings.ts';
import { createWebhookReceiver } from './webhook-receiver.ts';

const payload = { ...samplePayload, message: 'one\r\n\ttwo\u202e 👩🏽‍💻', service: 'malware' };
const clock = { now: () => new Date('2026-01-02T04:00:00.999Z') };
const secrets = [Buffer.alloc(32, 7), Buffer.alloc(24, 9)];

const service = await disposeAfterAll(createHttpService(() => ({ status: 204 })));

async function sent(
  style: WebhookSettings['style'],
  message: Partial<MessagePayload> = {},
  isPossibleDuplicate = false,
) {
  const settings = style === 'standard' ? { style, secrets } : { style };
  const url = `${service.origin}/T0/B0/token`;
  const receiver = createWebhookReceiver({ url, perSecond: 10, ...settings }, { clock });
  // The path is a credential.
  expect(receiver.destination).toBe(new URL(service.origin).host);
  const outcome = await receiver.deliver({ ...payload, ...message }, { ...attempt, isPossibleDuplicate });
  expect(outcome).toEqual({ kind: 'delivered' });
  const seen = service.requests.at(-1) as ReceivedRequest;
  return { seen, body: JSON.parse(seen.body) };
}

/** The text of each block of a Teams card. */
const textsOf = (body: { attachments: { content: { body: { text: string }[] } }[] }) =>
  body.attachments[0]?.content.body.map(({ text }) => text) ?? [];

test('a signed call contains the message exactly as it was stored, with the same id on each attempt', async () => {
  const { seen, body } = await sent('standard', { auditReport: 'r1' });
  expect(seen).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
  expect(seen.url.pathname).toBe('/T0/B0/token');
  const { receivedAt, kind: _, ...words } = payload;
  expect(body).toEqual({
    type: 'message.received',
    timestamp: receivedAt,
    data: { ...words, received_at: receivedAt, audit_report: 'r1' },
  });
  const again = await sent('standard', { auditReport: 'r1' }, true);
  expect(again.body).toEqual({ ...body, possible_duplicate: true });
  for (const { headers, body: text } of [seen, again.seen]) {
    const signed = `ABCDE-FGHJK.1767326400.${text}`;
    const signatures = secrets.map(key => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(headers).toMatchObject({
      'webhook-id': 'ABCDE-FGHJK',
      'webhook-timestamp': '1767326400',
      'webhook-signature': signatures.join(' '),
    });
  }
});

test('a message in Slack says who wrote what, without formatting, previews or mentions', async () => {
  const message = `${payload.message}\n<!channel> @here, a.b@example.com`;
  const { seen, body } = await sent('slack', { message, auditReport: 'r1' });
  expect(body).toEqual({
    text: [
      ...['Website message ABCDE-FGHJK', 'Name: Zoë', 'Email: zoe@example.com', 'Service: malware'],
      ...['| one', '| \ttwo[U+202E] 👩🏽‍💻', '| &lt;!channel&gt; @\u200bhere, a.b@example.com'],
      'Audit report: npm run inbox -- show ABCDE-FGHJK',
    ].join('\n'),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  });
  expect(seen.headers['webhook-signature']).toBeUndefined();
});

test('a message in Teams is a card with one text block per line', async () => {
  const { body } = await sent('teams', { message: 'one\n\n*two*' }, true);
  const content = { type: 'AdaptiveCard', version: '1.4' };
  const card = { contentType: 'application/vnd.microsoft.card.adaptive', content };
  expect(body).toMatchObject({ type: 'message', attachments: [card] });
  expect(body.attachments[0].content.body[0]).toMatchObject({ type: 'TextBlock', wrap: true });
  expect(textsOf(body)).toEqual([
    ...['Website message ABCDE-FGHJK', 'Name: Zoë', 'Email: zoe@example.com', 'Service: malware'],
    ...['\\| one', '\\|', '\\| \\*two\\*', '\\(possible duplicate: same reference\\)'],
  ]);
});

test('a chat gets no markup, whatever a visitor typed', async () => {
  const hostile = hostileText([
    ...['<!channel>', '@here', '<@U1>', '&lt;', '&', '<', '>', '|', '\n', '\r', '\u2028', ' ', '~', '\\'],
    ...['[a](https://x.example)', '**', '__', '`', '#', '- ', '1. ', '{{DATE(', '<at>x</at>'],
  ]);
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, hostile, async (name, email, message, service) => {
      const fields = { name, email, message, service };
      const { text } = (await sent('slack', fields)).body;
      expect(findSlackMarkup(text)).toEqual([]);
      expect(findMarkdown(textsOf((await sent('teams', fields)).body))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test.each(['slack', 'teams'] as const)('a long message in %s is shortened, and says so', async style => {
  for (const letter of ['\0', '<', '[', '👩', '\n']) {
    const long = letter.repeat(30_000);
    const { seen } = await sent(style, { message: `x${long}x`, name: long, service: long });
    expect(Buffer.byteLength(seen.body), JSON.stringify(letter)).toBeLessThan(28 * 1024);
    expect(seen.body).toContain('shortened: the whole text is in the database');
  }
});
