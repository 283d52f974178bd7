import type { AttemptRow, MessageRow, NoteRow } from '../../core/database/tables.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import { pickMessageFields } from './message-fields.ts';
import type { Messages } from './messages.ts';
import { findReceiver } from './receivers/receivers.ts';

type ExportDeps = {
  messages: Pick<Messages, 'listMessages' | 'listDeliveries' | 'listAttempts' | 'listNotes'>;
};

/** For the person who wrote them. */
export async function exportForPerson({ messages: stored }: ExportDeps, references: readonly string[]) {
  const byReference = <Row extends { reference: string }>(rows: Row[]) =>
    Map.groupBy(rows, ({ reference }) => reference);
  const [messages, deliveries, attempts, notes] = [
    await stored.listMessages(references),
    byReference(await stored.listDeliveries(references)),
    byReference(await stored.listAttempts(references)),
    byReference(await stored.listNotes(references)),
  ];
  return messages.map(row => ({
    ...describeMessage(row, deliveries.get(row.reference) ?? [], attempts.get(row.reference) ?? []),
    ourNotes: describeNotes(notes.get(row.reference) ?? []),
  }));
}

function describeMessage(row: MessageRow, deliveries: Delivery[], attempts: AttemptRow[]) {
  return {
    reference: row.reference,
    received: row.received_at,
    state: row.state,
    ...(row.quarantine_reason && { quarantinedBecause: row.quarantine_reason }),
    ...(row.answered_at && { answered: row.answered_at }),
    ...(row.closed_at && { closed: row.closed_at }),
    ...pickMessageFields(row),
    ...(row.idempotency_key !== null && { idempotencyKeyHash: row.idempotency_key }),
    copies: deliveries.map(({ receiver, state, created_at, settled_at, mailbox }) => ({
      to: findReceiver(receiver)?.toSender ?? receiver,
      state,
      begun: created_at,
      ...(settled_at && { ended: settled_at }),
      ...(mailbox && { mailboxHash: mailbox }),
      attempts: attempts
        .filter(attempt => attempt.receiver === receiver)
        // The reason of a failure names our servers, and says nothing about the person.
        .map(({ ended_at, state: result }) => ({ ended: ended_at, result })),
    })),
  };
}

function describeNotes(notes: readonly NoteRow[]) {
  return notes.map(({ created_at, text }) => ({ written: created_at, text }));
}
