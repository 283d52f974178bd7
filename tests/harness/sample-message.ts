import { randomIds } from '../../src/core/ids.ts';
import { mapMessageFields } from '../../src/features/messages/message-fields.ts';
import type { NewMessage } from '../../src/features/messages/messages.ts';

/** A message as the domain passes it to the store, with the fields a test sets. */
export function newMessage(about: Partial<NewMessage> = {}): NewMessage {
  return {
    reference: randomIds.reference(),
    received_at: '2026-01-02T03:04:05.678Z',
    state: 'new',
    ...mapMessageFields(() => ''),
    name: 'Zoë',
    email: 'zoe@example.com',
    message: 'Please call.',
    idempotency_key: null,
    quarantine_reason: '',
    answered_at: null,
    closed_at: null,
    audit_report: null,
    receivers: [],
    ...about,
  };
}

/** The row that is stored for a message. */
export function toMessageRow({ receivers: _, ...row }: NewMessage) {
  return row;
}
