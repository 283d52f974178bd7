import { stat } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { readOverlappingChunks } from '../files.ts';
import { isSqlite } from './query-helpers.ts';
import { SqliteError } from './sqlite.ts';
import type { Tables } from './tables.ts';
import { truncateWal } from './truncate-wal.ts';

export type StorageCleanup = { kind: 'sqlite'; isClean: boolean } | ({ kind: 'postgres' } & StorageStatus);

type StorageStatus = {
  tables: { name: string; deadRows: number; lastVacuum: string | null }[];
  samples: string[];
  settings: Record<(typeof settingNames)[number], string>;
  slots: { name: string; isActive: boolean; retainedBytes: number | null }[];
};

const settingNames = [
  'autovacuum',
  'wal_keep_size',
  'max_slot_wal_keep_size',
  'archive_mode',
  'max_wal_size',
] as const;
/** Those with personal data. */
export const cleanedTables = [
  'messages',
  'notes',
  'deliveries',
  'attempts',
  'subscribers',
  'sign_ups',
  'tokens',
  'audit_reports',
];
const walTimeoutMs = 10_000;

export type Storage = ReturnType<typeof createStorage>;

export function createStorage(db: Kysely<Tables>, location: string) {
  return {
    /** SQLite: whether WAL and file could be cleared of deleted rows. PostgreSQL: what the server says it keeps. */
    cleanUp: (erased?: ErasedData): Promise<StorageCleanup> => cleanUpStorage(db, location, erased),
    /** SQLite's WAL holds deleted rows until then. */
    removeRemains: (): Promise<boolean> => truncateWal(db),
  };
}

async function cleanUpStorage(
  db: Kysely<Tables>,
  file: string,
  erased: ErasedData | undefined,
): Promise<StorageCleanup> {
  return isSqlite(db)
    ? { kind: 'sqlite', isClean: await clearSqliteFile(db, file, erased) }
    : { kind: 'postgres', samples: await refreshStatistics(db, erased), ...(await readStorageStatus(db)) };
}

const smallBytes = 256 * 1024 * 1024;

/** `secure_delete` leaves copies of rows that SQLite has moved; VACUUM does not, but visitors wait for it. */
async function clearSqliteFile(
  db: Kysely<Tables>,
  file: string,
  erased: ErasedData | undefined,
): Promise<boolean> {
  if (!(await truncateWal(db, walTimeoutMs))) return false;
  if (!erased) return true;
  const { size } = await stat(file);
  if (size > smallBytes && !(await containsErasedData(file, erased))) return true;
  try {
    await sql`vacuum`.execute(db);
  } catch (error) {
    const busy = 5;
    if (error instanceof SqliteError && (error.errcode & 0xff) === busy) return false;
    throw error;
  }
  return truncateWal(db, walTimeoutMs);
}

/** ANALYZE replaces the planner's samples, but not of an empty table. */
async function refreshStatistics(db: Kysely<Tables>, erased: ErasedData | undefined): Promise<string[]> {
  for (const name of cleanedTables) {
    await sql`analyze ${sql.table(name)}`.execute(db).catch(() => undefined);
  }
  if (!erased?.address) return [];
  const { address } = erased;
  const { rows } = await sql<{ name: string; sampled: string }>`
    select tablename as name, concat(most_common_vals, histogram_bounds) as sampled
    from pg_stats where schemaname = current_schema()
    and strpos(lower(concat(most_common_vals, histogram_bounds)), ${address}) > 0 order by tablename`.execute(
    db,
  );
  // Another person's longer address may contain this one.
  const words = (text: string) => text.toLowerCase().split(/[\s{}"<>(),;:]+/);
  const names = rows.filter(({ sampled }) => words(sampled).includes(address)).map(({ name }) => name);
  return [...new Set(names)];
}

async function readStorageStatus(db: Kysely<Tables>): Promise<Omit<StorageStatus, 'samples'>> {
  const tables = await sql<{ name: string; dead: string; at: Date | null }>`
    select relname as name, n_dead_tup as dead, greatest(last_vacuum, last_autovacuum) as at
    from pg_stat_user_tables where schemaname = current_schema() and relname in (${sql.join(cleanedTables)})
    order by relname`.execute(db);
  const settings = await sql<{ name: string; value: string }>`
    select name, current_setting(name) as value from pg_settings where name in (${sql.join(settingNames)})`.execute(
    db,
  );
  const slots = await sql<{ name: string; active: boolean; retained: string | null }>`
    select slot_name as name, active, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::text as retained
    from pg_replication_slots order by slot_name`.execute(db);
  return {
    tables: tables.rows.map(({ name, dead, at }) => ({
      name,
      deadRows: Number(dead),
      lastVacuum: at?.toISOString() ?? null,
    })),
    settings: Object.fromEntries(
      settings.rows.map(({ name, value }) => [name, value]),
    ) as StorageStatus['settings'],
    slots: slots.rows.map(({ name, active, retained }) => ({
      name,
      isActive: active,
      retainedBytes: retained === null ? null : Number(retained),
    })),
  };
}

export type ErasedData = { address: string | undefined; references: ReadonlySet<string> };

/** Searches bytes, since nothing separates the columns of a row. */
export async function containsErasedData(
  path: string,
  { address, references }: ErasedData,
): Promise<boolean> {
  const needle = address && Buffer.from(address).toString('latin1').toLowerCase();
  for await (const bytes of readOverlappingChunks(path)) {
    const text = bytes.toString('latin1');
    if ((needle && text.toLowerCase().includes(needle)) || beginsMessage(text, references)) return true;
  }
  return false;
}

/** A row begins with its reference (`XXXXX-XXXXX`) and, of a message, its time (`2026-…`). A reference alone is not personal data. */
function beginsMessage(text: string, references: ReadonlySet<string>): boolean {
  for (let at = text.indexOf('-'); at >= 0; at = text.indexOf('-', at + 1)) {
    if (text[at + 10] === '-' && references.has(text.slice(at - 5, at + 6))) return true;
  }
  return false;
}
