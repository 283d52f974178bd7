import { createHmac } from 'node:crypto';
import type { Clock } from '../../../core/clock.ts';
import type { Payload } from '../../../core/outbox/delivery.ts';
import { classifyResponse, sendRequest } from '../../../core/outbox/http-client.ts';
import { pickMessageFields } from '../message-fields.ts';
import { assertForOwner, type OwnerPayload, type OwnerReceiver } from '../payloads.ts';
import { type WebhookSettings, webhookSettings } from '../settings/webhook-settings.ts';
import { slackBody, teamsBody } from './chat-webhook.ts';
import { forOwner, type ReceiverDefinition } from './define-receiver.ts';

const type = forOwner({ name: 'webhook', label: 'Webhook', recipients: 'webhook', isReadAtOnce: true });

export const webhook: ReceiverDefinition<OwnerPayload> = {
  ...type,
  toSender: 'our own chat or another system of ours',
  copies: {
    place: 'The system behind your webhook',
    what: 'entries in the system behind the webhook',
  },
  settings: { Webhook: webhookSettings },
  create({ readSettings, clock }) {
    const settings = readSettings(webhookSettings);
    return settings && createWebhookReceiver(settings, { clock });
  },
};

const bodies = { standard: standardBody, slack: slackBody, teams: teamsBody };

export function createWebhookReceiver(settings: WebhookSettings, { clock }: { clock: Clock }): OwnerReceiver {
  return {
    ...type,
    // Only the host, because the path of a chat's webhook URL is a secret.
    destination: new URL(settings.url).host,
    concurrency: 2,
    perSecond: settings.perSecond,
    isIdempotent: false,
    async deliver(payload, { isPossibleDuplicate, signal }) {
      const body = JSON.stringify(bodies[settings.style](payload, isPossibleDuplicate));
      const signed =
        settings.style === 'standard' ? sign(settings.secrets, payload.reference, clock.now(), body) : {};
      const headers = { 'content-type': 'application/json', ...signed };
      const response = await sendRequest({ url: settings.url, method: 'POST', headers, body, signal });
      if (response.kind === 'retry') return response;
      return classifyResponse(response, ({ status }) => status >= 200 && status < 300);
    },
  };
}

function standardBody(payload: Payload, isPossibleDuplicate: boolean) {
  assertForOwner(payload);
  const { reference, receivedAt } = payload;
  const mark = isPossibleDuplicate ? { possible_duplicate: true } : {};
  if (payload.kind === 'notice') {
    const { title, text } = payload;
    return { type: 'site.notice', timestamp: receivedAt, ...mark, data: { reference, title, text } };
  }
  const { auditReport } = payload;
  const report = auditReport === undefined ? {} : { audit_report: auditReport };
  const data = { reference, received_at: receivedAt, ...pickMessageFields(payload), ...report };
  return { type: 'message.received', timestamp: receivedAt, ...mark, data };
}

/** The id is the same for every attempt, so that duplicates are detected. During a rotation every secret signs. */
export function sign(secrets: Buffer[], id: string, now: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map(
    secret => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
