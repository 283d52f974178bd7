import type { Clock } from '../../lib/clock.ts';
import { createKeys } from '../../lib/keys.ts';
import type { Counts } from '../../store/dump.ts';
import type { Row } from '../../store/dumped-tables.ts';
import type { Insert, Standing, Target } from '../../store/restore.ts';
import type { AuditRow } from '../../store/tables.ts';
import { createAuditNaming } from '../privacy/naming.ts';
import { createReapply, type Reapplied } from '../privacy/reapply.ts';
import { createDoubts, type Doubts } from './doubt-delivery.ts';
import type { Known } from './format.ts';
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

export type Restored = { counts: Counts; erased: Reapplied; doubts: Doubts; corrections: number };

/** The file is not the one that was checked. */
export class ChangedFile extends Error {}

/** Fills the database with a backup that was checked, in one transaction, without whoever has been erased since. */
export async function restoreBackup(
  { target, clock }: { target: Pick<Target, 'replace' | 'shapes' | 'migrations'>; clock: Clock },
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
  const counts = await target.replace(insert => fill(insert));
  const corrections = audit.filter(({ action, done_at }) => action === 'rectify' && done_at > checked.madeAt);
  return { counts, erased: reapply.counts, doubts: doubts.counts, corrections: corrections.length };

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
      const kept = reapply.apply(table, rows);
      await add(table, table === 'deliveries' && !isMoved ? kept.map(doubts.apply) : kept);
    }
    const rest = reapply.rest();
    await add('subscribers', rest.subscribers);
    await add('audit', mergeAudit(audit, rest.audit));
    return restored;
  }
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
