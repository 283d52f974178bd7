import type { SuppressionReason } from '../../store/tables.ts';
import { type ParsedAddress, parseAddress } from './address.ts';

/** What a list holds of each subscriber, in a file: exported and imported under the same names. */
export const listColumns = [
  'address',
  'state',
  'form',
  'wording',
  'asked_at',
  'confirmed_at',
  'left_at',
  'suppressed_at',
  'suppressed_why',
] as const;
export type ListColumn = (typeof listColumns)[number];

/** A row of such a file as text; a cell that is not there is empty. */
export type ImportRow = { line: number; cells: Record<ListColumn, string> };

type Consent = { form: string; wording: string; askedAt: string | null; confirmedAt: string | null };

/** What a row asks for. `wording` is the text itself. */
export type Entry = ParsedAddress &
  Consent &
  (
    | { kind: 'ask' }
    | { kind: 'confirmed' }
    | { kind: 'unsubscribed'; leftAt: string }
    | { kind: 'suppressed'; at: string; why: SuppressionReason; leftAt: string | null }
  );

/** Everything that is wrong with a row, or what it asks for. */
export type RowResult = { entry: Entry } | { reasons: string[] };

/** Longer than any sentence under a box, and than any name of one. */
const longest = { form: 200, wording: 5000 } as const;
const states = ['', 'confirmed', 'pending', 'unsubscribed', 'suppressed'];
const whys: readonly SuppressionReason[] = ['bounce', 'complaint', 'owner', 'erased'];

export function readRow(
  { cells }: ImportRow,
  { asConfirmed, now }: { asConfirmed: boolean; now: string },
): RowResult {
  const reasons: string[] = [];
  const time = (column: ListColumn): string | null => {
    if (!cells[column]) return null;
    const read = parseTime(cells[column]);
    if (!read) reasons.push(`${column} is '${shown(cells[column])}', expected a time such as ${example}`);
    else if (read > now) reasons.push(`${column} lies in the future`);
    return read ?? null;
  };
  const parsed = parseAddress(cells.address);
  if (!parsed) reasons.push(`'${shown(cells.address)}' is not an address that mail can be sent to`);
  const state = cells.state.toLowerCase();
  if (!states.includes(state)) {
    reasons.push(`state is '${shown(cells.state)}', expected ${states.slice(1).join(', ')} or nothing`);
  }
  const { form, wording } = cells;
  const consent: Consent = { form, wording, askedAt: time('asked_at'), confirmedAt: time('confirmed_at') };
  for (const column of ['form', 'wording'] as const) {
    if (cells[column].length > longest[column])
      reasons.push(`${column} is longer than ${longest[column]} characters`);
    // PostgreSQL keeps no NUL.
    else if (cells[column].includes('\0')) reasons.push(`${column} holds a character that is not text`);
  }
  const isConfirmed = asConfirmed && (state === '' || state === 'confirmed');
  if (isConfirmed) reasons.push(...findMissingProof(cells, consent));
  const leftAt = time('left_at');
  const suppressedAt = time('suppressed_at') ?? now;
  // A list whose column of states was lost must not bring back whoever left or complained.
  if (state === '' || state === 'confirmed') {
    const ends = (['left_at', 'suppressed_at', 'suppressed_why'] as const).filter(column => cells[column]);
    if (ends.length > 0)
      reasons.push(`${ends.join(' and ')} with state '${shown(cells.state)}': did they leave or not?`);
  }
  if (!parsed || reasons.length > 0) return { reasons };
  const common = { ...parsed, ...consent };
  if (state === 'unsubscribed') return { entry: { ...common, kind: state, leftAt: leftAt ?? now } };
  if (state === 'suppressed') {
    const why = whys.find(one => one === cells.suppressed_why.toLowerCase()) ?? 'owner';
    return { entry: { ...common, kind: state, at: suppressedAt, why, leftAt } };
  }
  return { entry: { ...common, kind: isConfirmed ? 'confirmed' : 'ask' } };
}

/** Consent is when, where, to which words, and that the address itself said so. */
function findMissingProof(cells: ImportRow['cells'], { askedAt, confirmedAt }: Consent): string[] {
  const missing = (['asked_at', 'form', 'wording', 'confirmed_at'] as const).filter(column => !cells[column]);
  const reasons = missing.map(column => `${column} is missing`);
  if (askedAt && confirmedAt && confirmedAt < askedAt) reasons.push('confirmed_at lies before asked_at');
  return reasons;
}

const example = '2026-01-31T09:30:00Z';
const shape = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:\.\d{1,9})?))?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

/** ISO 8601, with or without the time of day; without a zone it is UTC. Never guesses which number is the month. */
export function parseTime(text: string): string | undefined {
  const [, date, clock = '00:00', seconds = '00', zone = 'Z'] = shape.exec(text) ?? [];
  if (!date || Number.isNaN(Date.parse(date)) || new Date(date).toISOString().slice(0, 10) !== date)
    return undefined;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const [whole, fraction = ''] = seconds.split('.');
  const ms = Date.parse(`${date}T${clock}:${whole}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
