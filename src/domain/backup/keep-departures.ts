import type { DumpedTable, Row } from '../../store/dumped-tables.ts';
import type { SubscriberRow } from '../../store/tables.ts';
import { suppressed } from '../privacy/reapply.ts';

/** Rows come table by table, in the order of a backup. */
export type Departures = {
  apply(table: DumpedTable, rows: readonly Row[]): Row[];
  /** Those to whom nothing may be sent and whom the backup does not know: their ids, and no more. */
  rest(): Row[];
  counts: { subscribers: number };
};

export type DepartureNames = {
  /** The id that the database which is replaced has for an address, and the one the backup has. */
  there(address: string): string | undefined;
  here(address: string): string | undefined;
  /** Otherwise an id of the one says nothing in the other. */
  isOneKey: boolean;
};

/**
 * Keeps a backup from bringing people back to the newsletter who left or were suppressed after it was made. `known` is
 * what the database that is replaced has of them.
 */
export function createDepartures(known: readonly SubscriberRow[], names: DepartureNames): Departures {
  const departed = new Map(known.map(row => [row.id, row]));
  const seen = new Set<string>();
  const ended = new Set<string>();
  const erased = new Set<string>();
  const counts = { subscribers: 0 };

  function find(address: Row[string] | undefined, id: Row[string] | undefined): SubscriberRow | undefined {
    if (departed.size === 0) return undefined;
    const other = typeof address === 'string' ? names.there(address) : undefined;
    return departed.get(id as string) ?? (other === undefined ? undefined : departed.get(other));
  }

  const byTable: Partial<Record<DumpedTable, (row: Row) => Row | undefined>> = {
    sign_ups(row) {
      const departure = find(row.address, row.subscriber);
      return departure && String(row.asked_at) <= timeOf(departure) ? undefined : row;
    },
    subscribers(row) {
      const departure = find(row.address, row.id);
      if (!departure) return row;
      seen.add(departure.id);
      const now = endedRow(row, departure);
      ended.add(row.id as string);
      if (now.address === null) erased.add(row.id as string);
      if (now.state !== row.state) counts.subscribers += 1;
      return now;
    },
    tokens: row => (ended.has(row.subscriber as string) ? undefined : row),
    deliveries: row => (erased.has(row.subscriber as string) ? undefined : row),
  };

  return {
    counts,
    apply(table, rows) {
      const change = departed.size === 0 ? undefined : byTable[table];
      return change ? rows.map(change).filter(row => row !== undefined) : [...rows];
    },
    rest() {
      const unseen = known.filter(row => row.suppressed_at !== null && !seen.has(row.id));
      const rows = unseen.flatMap(row => {
        const id = names.isOneKey ? row.id : names.here(row.address ?? '');
        return id === undefined ? [] : [suppressed({ ...row, id, state: 'suppressed' }, timeOf(row))];
      });
      counts.subscribers += rows.length;
      return rows;
    },
  };
}

function timeOf({ left_at, suppressed_at }: SubscriberRow): string {
  return [left_at ?? '', suppressed_at ?? ''].sort().at(-1) ?? '';
}

/** What was agreed to stays as the backup has it, as proof; whoever asked anew since has not confirmed it. */
function endedRow(row: Row, departure: SubscriberRow): Row {
  const { state, address, left_at, suppressed_at, suppressed_why } = departure;
  const isErased = address === null || (state === 'pending' && suppressed_why === 'erased');
  if (isErased)
    return suppressed({ ...departure, id: row.id as string, state: 'suppressed' }, timeOf(departure));
  const noRequest = { request_form: '', request_wording: '', requested_at: null };
  const ended = state === 'suppressed' ? state : 'unsubscribed';
  return { ...row, ...noRequest, state: ended, left_at, suppressed_at, suppressed_why };
}
