import { formulaSafe } from '../../lib/formula-safe.ts';
import { assertForOwner, type Parcel } from '../delivery.ts';
import type { Columns, Field } from './settings.ts';

export type Row = readonly (readonly [column: string, cell: string])[];

/** The only way a parcel becomes cells, so that none can become a formula. */
export function createRow(parcel: Parcel, columns: Columns): Row {
  const values = readFields(parcel);
  return columns.map(({ field, column }) => [column, formulaSafe(values[field])]);
}

export function referenceCell({ reference }: Parcel): string {
  return formulaSafe(reference);
}

function readFields(parcel: Parcel): Record<Field, string> {
  assertForOwner(parcel);
  const { reference, receivedAt: received } = parcel;
  if (parcel.kind === 'notice') {
    return { reference, received, service: 'Notice', name: parcel.title, email: '', message: parcel.text };
  }
  const { name, email, message, service } = parcel;
  return { reference, received, name, email, message, service };
}
