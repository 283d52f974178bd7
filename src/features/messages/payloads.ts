import type { MessageRow } from '../../core/database/tables.ts';
import type { Payload, Receiver } from '../../core/outbox/delivery.ts';
import type { Notice } from '../../core/outbox/notify-owner.ts';
import { type MessageFields, pickMessageFields } from './message-fields.ts';

/** A visitor's message, exactly as it was stored. Each receiver escapes it for its own medium. */
export type MessagePayload = Payload &
  MessageFields & {
    kind: 'message';
    /** The id of the audit report that it is about. */
    auditReport?: string;
  };

export type NoticePayload = Payload & Notice & { kind: 'notice' };

/** Nothing of the message: what a visitor wrote must not reach an address that they entered. */
export type AcknowledgementPayload = Payload & { kind: 'acknowledgement'; to: string };

export type OwnerPayload = MessagePayload | NoticePayload;
export type OwnerReceiver = Receiver<OwnerPayload>;

export function assertForOwner(payload: Payload): asserts payload is OwnerPayload {
  if (payload.kind !== 'message' && payload.kind !== 'notice')
    throw new Error(`${payload.kind} ${payload.reference} is not for the owner`);
}

export function assertAcknowledgement(payload: Payload): asserts payload is AcknowledgementPayload {
  if (payload.kind !== 'acknowledgement')
    throw new Error(`${payload.kind} ${payload.reference} is no acknowledgement`);
}

export function toMessagePayload(row: MessageRow): MessagePayload {
  const { reference, received_at: receivedAt, audit_report } = row;
  const report = audit_report === null ? {} : { auditReport: audit_report };
  return { kind: 'message', reference, receivedAt, ...pickMessageFields(row), ...report };
}
