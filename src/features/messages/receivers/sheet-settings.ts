import { messageFieldNames, messageFields } from '../message-fields.ts';

/** The reference comes last: a torn row never contains it. */
export const fields = ['received', ...messageFieldNames, 'reference'] as const;
export type Field = (typeof fields)[number];

export type Columns = readonly { field: Field; column: string }[];

const labels = new Map<Field, string>(messageFields.map(({ name, label }) => [name, label]));

export const defaultColumns: Columns = fields.map(field => ({
  field,
  column: labels.get(field) ?? field.charAt(0).toUpperCase() + field.slice(1),
}));

export type SheetAdapter =
  | { kind: 'flat' }
  | { kind: 'wrapped'; key: string; isList: boolean }
  | { kind: 'matrix'; key: string | undefined }
  | { kind: 'records'; upsert: 'airtable' | 'grist' | undefined }
  | { kind: 'script' };

export type SheetServiceSettings = {
  kind: 'service';
  url: string;
  adapter: SheetAdapter;
  columns: Columns;
  auth: { name: string; value: string } | undefined;
  lookupUrl: string | undefined;
  success: { statuses: readonly number[]; text: string | undefined };
  isRaw: boolean;
  perSecond: number;
  /** For tests; no setting reaches it. */
  scriptOrigin?: string;
};

export type SheetSettings = { kind: 'file' } | SheetServiceSettings;
