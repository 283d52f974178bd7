import { stat } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { emptyLog } from './empty-log.ts';
import type { Dialect } from './open.ts';
import { type Gone, holdsGone } from './search-file.ts';
import { SqliteError } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** What a database still holds of rows that are gone. */
export type Leftovers = {
  /**
   * SQLite: whether its log could be emptied, and its file cleared of what is gone, within seconds. PostgreSQL: what its
   * server says it keeps.
   */
  settle(gone?: Gone): Promise<Settled>;
};

export type Settled = { kind: 'sqlite'; isEmpty: boolean } | ({ kind: 'postgres' } & PostgresLeftovers);

export type PostgresLeftovers = {
  /** Old rows that VACUUM has not cleared away, as far as the server has counted them. */
  tables: { name: string; deadRows: number; lastVacuum: string | null }[];
  /** Tables of which the planner keeps samples that hold the address. */
  samples: string[];
  settings: Record<(typeof settingNames)[number], string>;
  slots: { name: string; isActive: boolean; heldBytes: number | null }[];
};

const settingNames = [
  'autovacuum',
  'wal_keep_size',
  'max_slot_wal_keep_size',
  'archive_mode',
  'max_wal_size',
] as const;
const tableNames = ['messages', 'deliveries', 'attempts', 'subscribers', 'sign_ups', 'tokens'];
const patienceMs = 10_000;

export function createLeftovers(db: Kysely<Tables>, dialect: Dialect, place: string): Leftovers {
  return {
    settle: async gone =>
      dialect === 'sqlite'
        ? { kind: 'sqlite', isEmpty: await clearFile(db, place, gone) }
        : { kind: 'postgres', samples: await renewSamples(db, gone), ...(await readLeftovers(db)) },
  };
}

/** Written anew within a few seconds. */
const smallBytes = 256 * 1024 * 1024;

/**
 * SQLite overwrites a row that is deleted where it stands, but not where it stood before it was moved, to make room for
 * others. What is left there goes only as the whole file is written anew. Visitors wait for that, so a large file is
 * searched first for what is gone.
 */
async function clearFile(db: Kysely<Tables>, place: string, gone: Gone | undefined): Promise<boolean> {
  if (!(await emptyLog(db, patienceMs))) return false;
  if (!gone) return true;
  const { size } = await stat(place);
  if (size > smallBytes && !(await holdsGone(place, gone))) return true;
  try {
    await sql`vacuum`.execute(db);
  } catch (error) {
    const busy = 5;
    if (error instanceof SqliteError && (error.errcode & 0xff) === busy) return false;
    throw error;
  }
  return emptyLog(db, patienceMs);
}

/** ANALYZE replaces what the planner has sampled of each column, but not while a table is empty or for long in use. */
async function renewSamples(db: Kysely<Tables>, gone: Gone | undefined): Promise<string[]> {
  for (const name of tableNames) {
    // Where it fails, the samples that are left are found below.
    await sql`analyze ${sql.table(name)}`.execute(db).catch(() => undefined);
  }
  if (!gone) return [];
  const { rows } = await sql<{ name: string; sampled: string }>`
    select tablename as name, concat(most_common_vals, histogram_bounds) as sampled
    from pg_stats where schemaname = current_schema()
    and strpos(lower(concat(most_common_vals, histogram_bounds)), ${gone.address}) > 0 order by tablename`.execute(
    db,
  );
  // Others have longer addresses that hold this one.
  const words = (text: string) => text.toLowerCase().split(/[\s{}"<>(),;:]+/);
  const names = rows.filter(({ sampled }) => words(sampled).includes(gone.address)).map(({ name }) => name);
  return [...new Set(names)];
}

async function readLeftovers(db: Kysely<Tables>): Promise<Omit<PostgresLeftovers, 'samples'>> {
  const tables = await sql<{ name: string; dead: string; at: Date | null }>`
    select relname as name, n_dead_tup as dead, greatest(last_vacuum, last_autovacuum) as at
    from pg_stat_user_tables where schemaname = current_schema() and relname in (${sql.join(tableNames)})
    order by relname`.execute(db);
  const settings = await sql<{ name: string; value: string }>`
    select name, current_setting(name) as value from pg_settings where name in (${sql.join(settingNames)})`.execute(
    db,
  );
  const slots = await sql<{ name: string; active: boolean; held: string | null }>`
    select slot_name as name, active, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::text as held
    from pg_replication_slots order by slot_name`.execute(db);
  return {
    tables: tables.rows.map(({ name, dead, at }) => ({
      name,
      deadRows: Number(dead),
      lastVacuum: at?.toISOString() ?? null,
    })),
    settings: Object.fromEntries(
      settings.rows.map(({ name, value }) => [name, value]),
    ) as PostgresLeftovers['settings'],
    slots: slots.rows.map(({ name, active, held }) => ({
      name,
      isActive: active,
      heldBytes: held === null ? null : Number(held),
    })),
  };
}
