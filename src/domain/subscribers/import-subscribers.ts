import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import type { Imported, Subscribers } from '../../store/subscribers.ts';
import { type Entry, type ImportRow, readRow } from './import-row.ts';
import type { Naming } from './naming.ts';

export type ImportDeps = {
  subscribers: Pick<Subscribers, 'askAll' | 'importAll' | 'findStates' | 'keepWordings'>;
  clock: Clock;
  ids: Pick<Ids, 'request'>;
  newsletter: Pick<Naming, 'nameSubscriber' | 'mailboxPseudonym'>;
  /** The id of a wording. */
  nameWording(text: string): string;
};

export type ImportOptions = {
  /** Takes each row's proof of consent for what it is. Without it, everybody is asked. */
  asConfirmed: boolean;
  isDryRun: boolean;
  /** Told as they are found, so that none has to be kept. */
  onMistake(mistake: { line: number; reason: string }): void;
};

export type ImportResult = {
  /** False when nothing was imported because of the mistakes. */
  isImported: boolean;
  mistakes: number;
  /** New ones by what became of them; `known` were there, in whatever state, and `repeated` stand twice in the file. */
  counts: Record<Entry['kind'] | 'known' | 'repeated', number>;
};

/** Rows in one transaction. */
const most = 500;
/** What somebody agreed to who is only asked now. */
const askedByLetter =
  'Imported by the owner. Consent is given by the button that the confirmation letter leads to.';

/**
 * Brings a list in. Whoever is known stays what they are, an erased address included: an import asks nobody again. As
 * confirmed, a file is taken whole or not at all. `open` is read from the beginning each time, a part at a time.
 */
export async function importSubscribers(
  deps: ImportDeps,
  open: () => AsyncIterable<ImportRow>,
  { asConfirmed, isDryRun, onMistake }: ImportOptions,
): Promise<ImportResult> {
  const { subscribers, newsletter } = deps;
  const now = deps.clock.now().toISOString();
  const counts = { ask: 0, confirmed: 0, unsubscribed: 0, suppressed: 0, known: 0, repeated: 0 };
  let mistakes = 0;
  const report = (line: number, reason: string) => {
    mistakes++;
    onMistake({ line, reason });
  };

  if (asConfirmed) {
    for await (const row of open()) {
      const result = readRow(row, { asConfirmed, now });
      if ('reasons' in result) report(row.line, result.reasons.join('; '));
    }
    if (mistakes > 0) return { isImported: false, mistakes, counts };
  }

  const seen = new Set<string>();
  for await (const rows of inParts(open())) {
    const entries = new Map<string, Entry>();
    for (const row of rows) {
      const result = readRow(row, { asConfirmed, now });
      if ('reasons' in result) {
        report(row.line, result.reasons.join('; '));
        continue;
      }
      const { kind, key } = result.entry;
      const id = newsletter.nameSubscriber(key);
      // One mailbox is asked once, however many of its addresses are in the file.
      const name = kind === 'ask' ? newsletter.mailboxPseudonym(key) : id;
      if (seen.has(id) || seen.has(name)) counts.repeated++;
      else entries.set(id, result.entry);
      seen.add(id).add(name);
    }
    const known = await subscribers.findStates([...entries.keys()]);
    for (const id of known.keys()) entries.delete(id);
    counts.known += known.size;
    for (const { kind } of entries.values()) counts[kind]++;
    if (!isDryRun) await store(deps, entries, now);
  }
  return { isImported: true, mistakes, counts };
}

async function store(deps: ImportDeps, entries: Map<string, Entry>, now: string): Promise<void> {
  const { subscribers, ids, nameWording } = deps;
  const wordings = new Map<string, string>();
  const keep = (text: string): string => {
    if (!text) return '';
    const id = nameWording(text);
    wordings.set(id, text);
    return id;
  };
  const asked = [...entries].flatMap(([subscriber, { kind, address, wording }]) =>
    kind === 'ask'
      ? [
          {
            id: ids.request(),
            subscriber,
            address,
            form: 'import',
            wording: keep(wording || askedByLetter),
            asked_at: now,
          },
        ]
      : [],
  );
  const imported = [...entries].flatMap(([id, entry]) => toImported(id, entry, keep));
  // Before the first row that refers to them.
  await subscribers.keepWordings([...wordings].map(([id, text]) => ({ id, text, first_used_at: now })));
  if (imported.length > 0) await subscribers.importAll(imported);
  if (asked.length > 0) await subscribers.askAll(asked);
}

function toImported(id: string, entry: Entry, keep: (text: string) => string): Imported[] {
  if (entry.kind === 'ask') return [];
  const { address, askedAt, confirmedAt } = entry;
  const common = {
    id,
    address,
    form: entry.form || 'import',
    wording: keep(entry.wording),
    asked_at: askedAt,
    confirmed_at: confirmedAt,
  };
  if (entry.kind === 'confirmed') return [{ ...common, state: 'confirmed' }];
  if (entry.kind === 'unsubscribed') return [{ ...common, state: 'unsubscribed', left_at: entry.leftAt }];
  const { at, why, leftAt } = entry;
  const suppressed = { state: 'suppressed', suppressed_at: at, suppressed_why: why } as const;
  // Of an erased one nothing stays but its id.
  if (why === 'erased') {
    return [{ id, address: null, form: '', wording: '', asked_at: null, confirmed_at: null, ...suppressed }];
  }
  // Whoever had left must not come back when the suppression is lifted.
  return [{ ...common, ...suppressed, left_at: leftAt }];
}

async function* inParts<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let part: T[] = [];
  for await (const item of items) {
    part.push(item);
    if (part.length < most) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
