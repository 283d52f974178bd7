import type { Column, Row, Shape, Value } from '../../store/dumped-tables.ts';

/** As PostgreSQL keeps whole numbers. */
const largest = 2_147_483_647;

/**
 * The row as this version of the site has it, or why it cannot be one. `lacking` are the migrations that the backup is
 * older than: columns may be missing then, or have held something else.
 */
export function checkRow({ columns }: Shape, given: unknown, lacking: ReadonlySet<string>): Row | string {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'it has no row';
  const found = given as Record<string, unknown>;
  for (const name of Object.keys(found)) {
    if (!Object.hasOwn(columns, name)) return `there is no column '${name.slice(0, 60)}'`;
  }
  const row: Row = {};
  for (const [name, column] of Object.entries(columns)) {
    if (Object.hasOwn(found, name)) {
      const mistake = findMistake(column, found[name]);
      if (mistake) return `${name} ${mistake}`;
      row[name] = column.since && lacking.has(column.since) ? null : (found[name] as Value);
    } else {
      const missing = column.isNullable ? null : column.missing;
      if (lacking.size === 0 || missing === undefined) return `${name} is missing`;
      row[name] = missing;
    }
  }
  return row;
}

function findMistake({ kind, isNullable, oneOf }: Column, value: unknown): string | undefined {
  if (value === null) return isNullable ? undefined : 'is empty';
  if (kind === 'integer') {
    const isWhole = Number.isInteger(value) && Math.abs(value as number) <= largest;
    return isWhole ? undefined : 'is no whole number';
  }
  if (typeof value !== 'string') return 'is no text';
  if (value.includes('\0') || !value.isWellFormed()) return 'holds a character that is no text';
  return oneOf && !oneOf.includes(value) ? `is none of ${oneOf.filter(Boolean).join(', ')}` : undefined;
}

/** Keys are in the order of their bytes, so that none can come twice. */
export function isAfter({ key }: Shape, row: Row, before: Row): boolean {
  for (const name of key) {
    const order = compare(row[name] as Value, before[name] as Value);
    if (order !== 0) return order > 0;
  }
  return false;
}

function compare(one: Value, other: Value): number {
  if (one === other) return 0;
  return typeof one === 'number'
    ? one - (other as number)
    : Buffer.compare(Buffer.from(one as string), Buffer.from(other as string));
}
