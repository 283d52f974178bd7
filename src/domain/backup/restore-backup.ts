import type { Clock } from '../../lib/clock.ts';
import { createKeys } from '../../lib/keys.ts';
import type { Counts } from '../../store/dump.ts';
import type { Row } from '../../store/dumped-tables.ts';
import type { Insert, Standing, Target } from '../../store/restore.ts';
import type { AuditRow } from '../../store/tables.ts';
import { createAuditNaming } from '../privacy/naming.ts';
import { createReapply, type Reapplied } from '../privacy/reapply.ts';
import { parseAddress } from '../subscribers/address.ts';
import { nameSubscriber } from '../subscribers/naming.ts';
import { createDoubts, type Doubts } from './doubt-delivery.ts';
import type { Known } from './format.ts';
import { createDepartures, type DepartureNames } from './keep-departures.ts';
import { readBackup, type Summary } from './read-backup.ts';

/** Reads the file from its beginning, each time it is asked. */
export type ReadFile = () => AsyncIterable<Uint8Array>;

export type Checked = Summary & {
  /** Of the newsletter: what erasures are hashed with. */
  secret: string | undefined;
  audit: AuditRow[];
};

/** Reads a whole backup and writes nothing. Throws the first mistake in it. */
export async function checkBackup(read: ReadFile, known: Known): Promise<Checked> {
  const audit: AuditRow[] = [];
  let secret: string | undefined;
  const pages = readBackup(read(), known);
  for (;;) {
    const { done, value } = await pages.next();
    if (done) return { ...value, secret, audit };
    if (value.table === 'audit') audit.push(...(value.rows as AuditRow[]));
    if (value.table === 'secrets') {
      secret ??= value.rows.find(({ name }) => name === 'newsletter')?.value as string | undefined;
    }
  }
}

export type RestoreInput = {
  read: ReadFile;
  checked: Checked;
  /** What the database holds, which all goes but for its audit. */
  standing: Standing;
  /** Erasures that are remembered outside of databases. */
  remembered: readonly AuditRow[];
  /** Nothing was sent since the backup was made. */
  isMoved: boolean;
  progress?(rows: number): void;
};

export type Restored = {
  counts: Counts;
  erased: Reapplied;
  /** Who left the newsletter or was suppressed since, and stays so. */
  departed: number;
  /** Since when nobody can say who did, where the database that was replaced is not the one the backup is of. */
  departuresUnknownSince: string | null;
  doubts: Doubts;
  corrections: number;
};

/** The file is not the one that was checked. */
export class ChangedFile extends Error {}

/** A backup is begun a little before its time is taken: its tables are counted first. */
const begunWithinMs = 60 * 60_000;
/** In less, nobody has left. */
const momentMs = 60_000;

/**
 * Fills the database with a backup that was checked, in one transaction, without whoever has been erased since. Whoever
 * left the newsletter stays away, as far as the database that is replaced knows of it.
 */
export async function restoreBackup(
  {
    target,
    clock,
  }: { target: Pick<Target, 'replace' | 'listDepartures' | 'shapes' | 'migrations'>; clock: Clock },
  { read, checked, standing, remembered, isMoved, progress }: RestoreInput,
): Promise<Restored> {
  const now = clock.now().toISOString();
  const audit = mergeAudit(checked.audit, standing.audit, remembered);
  const secrets = new Set(
    [checked.secret, standing.secrets.newsletter].filter(secret => secret !== undefined),
  );
  const namings = [...secrets].map(secret => createAuditNaming(createKeys(secret)));
  const reapply = createReapply(audit, namings);
  const doubts = createDoubts(now);
  const madeAt = Date.parse(checked.madeAt);
  const departures = createDepartures(
    await target.listDepartures(new Date(madeAt - begunWithinMs).toISOString()),
    nameIn(standing.secrets.newsletter, checked.secret),
  );
  const counts = await target.replace(insert => fill(insert));
  const corrections = audit.filter(({ action, done_at }) => action === 'rectify' && done_at > checked.madeAt);
  const isOurs = standing.secrets.newsletter === checked.secret;
  const isUnknown =
    !isMoved && !isOurs && counts.subscribers > 0 && clock.now().getTime() - madeAt > momentMs;
  return {
    counts,
    erased: reapply.counts,
    departed: departures.counts.subscribers,
    departuresUnknownSince: isUnknown ? checked.madeAt : null,
    doubts: doubts.counts,
    corrections: corrections.length,
  };

  async function fill(insert: Insert): Promise<Counts> {
    const restored = Object.fromEntries(Object.keys(target.shapes).map(name => [name, 0])) as Counts;
    async function add(table: keyof Counts, rows: Row[]): Promise<void> {
      await insert(table, rows);
      restored[table] += rows.length;
    }
    const pages = readBackup(read(), target);
    let taken = 0;
    for (;;) {
      const { done, value } = await pages.next();
      if (done) {
        if (value.sha256 !== checked.sha256) throw new ChangedFile('it was changed while it was read');
        break;
      }
      const { table, rows } = value;
      taken += rows.length;
      progress?.(taken);
      if (table === 'audit') continue;
      const kept = departures.apply(table, reapply.apply(table, rows));
      await add(table, table === 'deliveries' && !isMoved ? kept.map(doubts.apply) : kept);
    }
    const rest = reapply.rest();
    const erasedIds = new Set(rest.subscribers.map(({ id }) => id));
    await add('subscribers', rest.subscribers);
    await add(
      'subscribers',
      departures.rest().filter(({ id }) => !erasedIds.has(id)),
    );
    await add('audit', mergeAudit(audit, rest.audit));
    return restored;
  }
}

function nameIn(there: string | undefined, here: string | undefined): DepartureNames {
  const namer = (secret: string | undefined) => {
    const keys = secret === undefined ? undefined : createKeys(secret);
    return (address: string) => {
      const key = parseAddress(address)?.key;
      return keys && key !== undefined ? nameSubscriber(keys, key) : undefined;
    };
  };
  return { there: namer(there), here: namer(here), isOneKey: there === here };
}

/** Each entry once, as the first that names it has it. */
export function mergeAudit(...lists: (readonly AuditRow[])[]): AuditRow[] {
  const merged = new Map<string, AuditRow>();
  for (const { hash, action, done_at, counts } of lists.flat()) {
    const name = JSON.stringify([hash, action, done_at]);
    if (!merged.has(name)) merged.set(name, { hash, action, done_at, counts });
  }
  return [...merged.values()];
}
