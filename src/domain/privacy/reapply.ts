import type { DumpedTable, Row } from '../../store/dumped-tables.ts';
import type { AuditRow, SubscriberRow } from '../../store/tables.ts';
import { type AuditNaming, writerOf } from './naming.ts';
import { createTrace, mayHold } from './trace.ts';

/** What was taken out of a backup again: mentions are other people's messages that named an erased address. */
export type Reapplied = { messages: number; mentions: number; subscribers: number };

/** Rows come table by table, in the order of a backup. */
export type Reapply = {
  /** The rows as they may be restored. */
  apply(table: DumpedTable, rows: readonly Row[]): Row[];
  /** What must be there as well, once all have come: that somebody was erased who had only just asked. */
  rest(): { subscribers: Row[]; audit: AuditRow[] };
  counts: Reapplied;
};

/**
 * Keeps a backup from bringing back who has been erased since. The entries say whom as hashes: under the first naming's key, or
 * under one of the others'. Whoever wrote or asked again after the erasure keeps what came then.
 */
export function createReapply(entries: readonly AuditRow[], namings: readonly AuditNaming[]): Reapply {
  const whole = latest(entries, ['erase']);
  const newsletter = latest(entries, ['erase', 'erase-newsletter']);
  const single = latest(entries, ['erase-message']);
  const counts: Reapplied = { messages: 0, mentions: 0, subscribers: 0 };
  /** Messages that went, and since when each erased subscriber's letters and requests are forgotten. */
  const gone = new Set<string>();
  const forgotten = new Map<string, string>();
  const ended = new Set<string>();
  const onlyAsked = new Map<string, Row>();
  const renamed = new Map<string, AuditRow>();

  /** When it was erased, if it was. An entry under another key is noted under the first as well, for the next restore. */
  function find(erasures: Map<string, AuditRow>, name: (naming: AuditNaming) => string): string | undefined {
    if (erasures.size === 0) return undefined;
    const [current, ...others] = namings.map(name);
    const known = current === undefined ? undefined : erasures.get(current);
    const other = others.map(hash => erasures.get(hash)).find(found => found !== undefined);
    if (other && current !== undefined)
      renamed.set(`${current} ${other.action}`, { ...other, hash: current });
    return [known?.done_at, other?.done_at]
      .filter(at => at !== undefined)
      .sort()
      .at(-1);
  }
  const erasedAt = (address: string) => find(whole, naming => naming.ofAddress(address));
  const leftAt = (address: string) => find(newsletter, naming => naming.ofAddress(address));

  function redact(text: string, writtenAt: string): string {
    if (whole.size === 0 || !mayHold.test(text)) return text;
    let redacted = text;
    for (const address of candidates(text)) {
      if (isUpTo(writtenAt, erasedAt(address))) redacted = createTrace(address)?.redact(redacted) ?? redacted;
    }
    return redacted;
  }

  /** Undefined for a row that goes. */
  const byTable: Partial<Record<DumpedTable, (row: Row) => Row | undefined>> = {
    messages(row) {
      const { reference, received_at } = texts(row);
      const isGone =
        find(single, naming => naming.ofMessage(reference)) !== undefined ||
        isUpTo(received_at, erasedAt(writerOf(texts(row))));
      if (isGone) {
        gone.add(reference);
        counts.messages += 1;
        return undefined;
      }
      const changed = redactFields(row, ['name', 'email', 'service', 'message'], received_at);
      if (changed !== row) counts.mentions += 1;
      return changed;
    },
    sign_ups(row) {
      const { subscriber, address, asked_at } = texts(row);
      const at = leftAt(address);
      if (at === undefined || !isUpTo(asked_at, at)) return row;
      onlyAsked.set(subscriber, suppressed({ id: subscriber }, at));
      return undefined;
    },
    subscribers(row) {
      const { id } = texts(row);
      onlyAsked.delete(id);
      const at = row.address === null ? undefined : leftAt(row.address as string);
      if (at === undefined) return row;
      forgotten.set(id, at);
      const acts = [row.requested_at, row.asked_at, row.confirmed_at, row.left_at];
      if (acts.some(act => act !== null && String(act) > at)) return row;
      ended.add(id);
      counts.subscribers += 1;
      return suppressed(row, at);
    },
    tokens: row => (ended.has(row.subscriber as string) ? undefined : row),
    deliveries(row) {
      const { reference, created_at } = texts(row);
      if (row.kind === 'message' && gone.has(reference)) return undefined;
      if (isUpTo(created_at, forgotten.get(row.subscriber as string))) return undefined;
      return redactFields(row, ['payload', 'last_failure'], created_at);
    },
    attempts: row =>
      gone.has(row.reference as string) ? undefined : redactFields(row, ['why'], row.ended_at as string),
  };

  function redactFields(row: Row, names: readonly string[], writtenAt: string): Row {
    const changed = names.flatMap(name => {
      const text = row[name] ?? null;
      const redacted = typeof text === 'string' ? redact(text, writtenAt) : text;
      return redacted === text ? [] : [[name, redacted] as const];
    });
    return changed.length > 0 ? { ...row, ...Object.fromEntries(changed) } : row;
  }

  return {
    counts,
    apply(table, rows) {
      const change = byTable[table];
      return change ? rows.map(change).filter(row => row !== undefined) : [...rows];
    },
    rest: () => ({ subscribers: [...onlyAsked.values()], audit: [...renamed.values()] }),
  };
}

/** Whether something was there already when an erasure was made. */
function isUpTo(time: string, erasedAt: string | undefined): boolean {
  return erasedAt !== undefined && time <= erasedAt;
}

function latest(entries: readonly AuditRow[], actions: readonly AuditRow['action'][]): Map<string, AuditRow> {
  const found = new Map<string, AuditRow>();
  for (const entry of entries) {
    const known = found.get(entry.hash);
    if (actions.includes(entry.action) && !(known && known.done_at >= entry.done_at))
      found.set(entry.hash, entry);
  }
  return found;
}

type Named =
  | 'reference'
  | 'received_at'
  | 'created_at'
  | 'asked_at'
  | 'email'
  | 'name'
  | 'address'
  | 'subscriber'
  | 'id';

/** Columns that are never empty, where a table has them. */
function texts(row: Row): Record<Named, string> {
  return row as Record<Named, string>;
}

/** What an erasure leaves of a subscriber, as src/store/erasures.ts does it. */
export function suppressed(row: Row, at: string): Row {
  const wasSuppressed = row.state === 'suppressed';
  return {
    id: row.id as string,
    address: null,
    state: 'suppressed',
    request_form: '',
    request_wording: '',
    requested_at: null,
    form: '',
    wording: '',
    asked_at: null,
    mailed_at: null,
    confirmed_at: null,
    left_at: null,
    suppressed_at: wasSuppressed ? (row.suppressed_at as string | null) : at,
    suppressed_why: wasSuppressed ? (row.suppressed_why as string) : 'erased',
  } satisfies Record<keyof SubscriberRow, unknown>;
}

/**
 * Whatever could be an address in a text: with nothing but hashes to look for, each is tried. In a link or between quotes
 * signs before it may or may not be a part of it.
 */
function candidates(text: string): Set<string> {
  const found = new Set<string>();
  const plain = decodeSigns(text).normalize('NFC').replaceAll('\uff20', '@').replaceAll('[.]', '.');
  for (const [, local = '', host = ''] of plain.matchAll(
    /([^\s<>()[\]\\,;:"“”‘’|@]{1,100})@([\p{L}\p{M}\p{N}.-]{1,255})/gu,
  )) {
    const domain = host.replace(/[.-]+$/, '');
    const starts = [
      0,
      ...[...local.matchAll(/[^\p{L}\p{M}\p{N}]/gu)].slice(-mostStarts).map(({ index }) => index + 1),
    ];
    for (const start of starts) if (start < local.length) found.add(`${local.slice(start)}@${domain}`);
  }
  return found;
}

/** As links have them; what is no text stays as it is. */
function decodeSigns(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, code => {
    try {
      return decodeURIComponent(code);
    } catch {
      return code.replaceAll('%40', '@');
    }
  });
}

/** A text of nothing but dots and signs must not take for ever. */
const mostStarts = 8;
