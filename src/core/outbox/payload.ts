import { acknowledgements } from '../../features/messages/acknowledge-message.ts';
import { pickMessageFields } from '../../features/messages/message-fields.ts';
import type { MessageRow } from '../database/tables.ts';
import { hashToken } from '../ids.ts';
import type { Delivery } from './deliveries.ts';
import type { MessagePayload, Payload } from './delivery.ts';
import { readNotice } from './owner-notices.ts';
import type { WorkerDeps } from './worker-deps.ts';

const tokenLifetimeMs = 7 * 24 * 60 * 60 * 1000;

export async function buildPayload(
  deps: WorkerDeps,
  delivery: Delivery,
): Promise<Payload | 'erased' | 'cancelled'> {
  const { reference, created_at: receivedAt } = delivery;
  switch (delivery.kind) {
    case 'message': {
      const row = await deps.messages.get(reference);
      if (!row) return 'erased';
      if (row.state === 'spam') return 'cancelled';
      if (delivery.receiver === acknowledgements) {
        const to = await deps.claimAcknowledgement(row);
        return to ? { kind: 'acknowledgement', reference, receivedAt, to } : 'cancelled';
      }
      return toMessagePayload(row);
    }
    case 'notice': {
      const notice = await readNotice(deps, delivery.payload ?? '{}');
      return { kind: 'notice', reference, receivedAt, ...notice };
    }
    case 'confirmation': {
      const to = await findSubscriberAddress(deps, delivery, 'pending');
      if (!to) return 'cancelled';
      return { kind: 'confirmation', reference, receivedAt, to, token: await makeToken(deps, delivery) };
    }
    case 'issue': {
      const to = await findSubscriberAddress(deps, delivery, 'confirmed');
      const issue = await deps.newsletterIssues.get(delivery.issue as string);
      if (!to || !issue) return 'cancelled';
      const { subject, html, text } = issue;
      const subscriber = delivery.subscriber as string;
      return { kind: 'issue', reference, receivedAt: delivery.due_at, to, subscriber, subject, html, text };
    }
  }
}

export function toMessagePayload(row: MessageRow): MessagePayload {
  const { reference, received_at: receivedAt, audit_report } = row;
  const report = audit_report === null ? {} : { auditReport: audit_report };
  return { kind: 'message', reference, receivedAt, ...pickMessageFields(row), ...report };
}

async function findSubscriberAddress(
  { subscribers }: WorkerDeps,
  { subscriber }: Delivery,
  state: 'pending' | 'confirmed',
): Promise<string | undefined> {
  const found = await subscribers.get(subscriber as string);
  return found?.state === state && found.address ? found.address : undefined;
}

/** Created when it is sent, so that only the mail contains it. An earlier attempt's token stays valid: it may have arrived. */
async function makeToken({ subscribers, clock, ids }: WorkerDeps, { subscriber }: Delivery): Promise<string> {
  const token = ids.token();
  await subscribers.addToken({
    hash: hashToken(token),
    subscriber: subscriber as string,
    expires_at: new Date(clock.now().getTime() + tokenLifetimeMs).toISOString(),
  });
  return token;
}
