export const fields = ['received', 'name', 'email', 'service', 'message', 'reference'] as const;
export type Field = (typeof fields)[number];

/** Which of our fields go into which of the sheet's columns, in order. The reference is always among them. */
export type Columns = readonly { field: Field; column: string }[];

/** The reference comes last: a row that was cut short can never be taken for one that is there. */
export const defaultColumns: Columns = fields.map(field => ({
  field,
  column: field.charAt(0).toUpperCase() + field.slice(1),
}));

/** How a service wants a row written into its JSON. */
export type Shape =
  | { kind: 'flat' }
  | { kind: 'wrapped'; key: string; isList: boolean }
  | { kind: 'matrix'; key: string | undefined }
  | { kind: 'records'; upsert: 'airtable' | 'grist' | undefined }
  | { kind: 'script' };

export type FileSheet = { kind: 'file' };

export type ServiceSheet = {
  kind: 'service';
  url: string;
  shape: Shape;
  columns: Columns;
  auth: { name: string; value: string } | undefined;
  /** Where `{reference}` stands, ours is put. */
  lookupUrl: string | undefined;
  success: { statuses: readonly number[]; text: string | undefined };
  /** Asks the service not to make numbers, dates or formulas of what a visitor wrote. */
  isRaw: boolean;
  perSecond: number;
  /** Where a script's answer may come from; a test has its own. No setting reaches it. */
  scriptOrigin?: string;
};

export type SheetSettings = FileSheet | ServiceSheet;
