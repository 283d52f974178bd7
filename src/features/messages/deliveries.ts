import type { MessageRow } from '../../core/database/tables.ts';
import type { DeliveryKind } from '../../core/outbox/delivery.ts';
import type { Messages } from './messages.ts';
import { readNotice } from './owner-notices.ts';
import { type AcknowledgementPayload, type NoticePayload, toMessagePayload } from './payloads.ts';
import { isForVisitor } from './receivers/receivers.ts';

type DeliveryDeps = {
  messages: Pick<Messages, 'get' | 'listQuarantined' | 'countQuarantined'>;
  /** The address to which the acknowledgement of a message may go now. */
  claimAcknowledgement(message: MessageRow): Promise<string | undefined>;
};

export function createMessageDeliveries({
  messages,
  claimAcknowledgement,
}: DeliveryDeps): Record<'message' | 'notice', DeliveryKind> {
  async function createAcknowledgement(row: MessageRow): Promise<AcknowledgementPayload | 'cancelled'> {
    const to = await claimAcknowledgement(row);
    const { reference, received_at: receivedAt } = row;
    return to ? { kind: 'acknowledgement', reference, receivedAt, to } : 'cancelled';
  }

  return {
    message: {
      async createPayload({ reference, receiver }) {
        const row = await messages.get(reference);
        if (!row) return 'erased';
        if (row.state === 'spam') return 'cancelled';
        return isForVisitor(receiver) ? createAcknowledgement(row) : toMessagePayload(row);
      },
    },
    notice: {
      async createPayload({ reference, created_at: receivedAt, payload }): Promise<NoticePayload> {
        const { title, text } = await readNotice({ messages }, payload ?? '{}');
        return { kind: 'notice', reference, receivedAt, title, text };
      },
    },
  };
}
