import type { Payload } from '../../../core/outbox/delivery.ts';
import { escapeFormula } from '../../../lib/escape-formula.ts';
import { type MessageFields, mapMessageFields, pickMessageFields } from '../message-fields.ts';
import { assertForOwner, type OwnerPayload } from '../payloads.ts';
import type { Columns, Field } from './sheet-settings.ts';

export type Row = readonly (readonly [column: string, cell: string])[];

/** The only way a payload becomes cells, so that none can become a formula. */
export function createRow(payload: OwnerPayload, columns: Columns): Row {
  const values = readFields(payload);
  return columns.map(({ field, column }) => [column, escapeFormula(values[field])]);
}

export function referenceCell({ reference }: Pick<Payload, 'reference'>): string {
  return escapeFormula(reference);
}

function readFields(payload: OwnerPayload): Record<Field, string> {
  assertForOwner(payload);
  const { reference, receivedAt: received } = payload;
  if (payload.kind === 'notice') {
    const notice: Partial<MessageFields> = {
      service: 'Notice',
      name: payload.title,
      message: payload.text,
    };
    return { reference, received, ...mapMessageFields(name => notice[name] ?? '') };
  }
  return { reference, received, ...pickMessageFields(payload) };
}
