import { rm, stat } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { undefinedIfMissing } from '../files.ts';
import { createOutbox } from '../outbox/outbox.ts';
import { createReceiverStates } from '../outbox/receivers.ts';
import { writeBackup } from './backup.ts';
import { defaultLimits } from './group-commit.ts';
import { migrate } from './migrate.ts';
import { openPool, poolTimeouts } from './postgres.ts';
import { type Batch, createBatch, isSqlite } from './query-helpers.ts';
import { createRateCounts } from './rate-counts.ts';
import { createReportCounts } from './report-counts.ts';
import { createSchedule } from './schedule.ts';
import { createSecrets } from './secrets.ts';
import { databaseFile, openSqlite, restoringFolder, SqliteError } from './sqlite.ts';
import { createStorage } from './storage-cleanup.ts';
import type { Tables } from './tables.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

export type ClockReading = { newestMessage: string | undefined; databaseTime: number | undefined };

type StoreOptions = {
  dataDir: string;
  databaseUrl: string | undefined;
  onError(error: Error): void;
  onFatalError?(error: Error): void;
  observer?: Observer;
};

export type Observer = {
  onGroupStored(size: number, ms: number): void;
  onCommit(ms: number): void;
};

export async function openStore(options: StoreOptions) {
  const { onGroupStored: onGroup, onCommit } = options.observer ?? {};
  const { db, location, batch, durabilityWarnings } = options.databaseUrl
    ? await openPostgres(options.databaseUrl, options.onError, onCommit)
    : await openSqlite(databaseFile(options.dataDir), options.onFatalError ?? options.onError, { onCommit });
  if (isSqlite(db)) await migrateOrClose(db);
  // A killed restore left it (a running one holds the lock). If it belongs to another user, the site starts all the same.
  await rm(restoringFolder(options.dataDir), { recursive: true, force: true }).catch(() => undefined);
  return {
    ...createDatabase({ db, location, batch, onGroup }),
    receivers: createReceiverStates(db),
    reportCounts: createReportCounts(db),
    rateCounts: createRateCounts(db),
    backUp: (file: string, createdAt: string) => writeBackup(options, file, createdAt),
    durabilityWarnings,
    measureSize: () => measureSize(db, databaseFile(options.dataDir)),
    readClock: () => readClock(db),
    /** Commits a row, because a database that accepts connections may still be unable to store. */
    assertWritable: () => assertWritable(db),
    close: () => db.destroy(),
  };
}

type Opened = {
  db: Kysely<Tables>;
  location: string;
  batch: Batch;
  onGroup?: Observer['onGroupStored'] | undefined;
};

export type Database = ReturnType<typeof createDatabase>;

/** What features make their queries of: of the site, or of a backup that is restored. */
export function createDatabase({ db, location, batch, onGroup }: Opened) {
  return {
    db,
    group: { db, batch, limits: { ...defaultLimits, isFatalDatabaseError, onGroup } },
    location,
    isPostgres: !isSqlite(db),
    outbox: createOutbox(db, batch),
    schedule: createSchedule(db),
    secrets: createSecrets(db),
    storage: createStorage(db, location),
  };
}

/** False for a query that failed because of its values. */
function isFatalDatabaseError(error: unknown): boolean {
  if (error instanceof SqliteError) {
    const [mismatch, constraint, tooBig] = [20, 19, 18];
    return ![mismatch, constraint, tooBig].includes(error.errcode & 0xff);
  }
  // Classes 22 and 23 of PostgreSQL are about values; 40 is a transaction that may succeed alone.
  return !(error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? ''));
}

async function openPostgres(
  databaseUrl: string,
  onError: (error: Error) => void,
  onCommit: Observer['onCommit'] | undefined,
) {
  const migrating = openPool(databaseUrl, { max: 1, connectionTimeoutMillis: 5000 }, onError);
  await migrateOrClose(migrating);
  await migrating.destroy();
  const url = new URL(databaseUrl);
  const location = `postgres://${url.host}${url.pathname}`;
  const db = openPool(databaseUrl, { max: 10, ...poolTimeouts }, onError, onCommit);
  // Kysely opens a pool at its first query, and cannot close one that was never opened.
  await sql`select 1`.execute(db);
  const durabilityWarnings = await findDurabilityWarnings(db);
  return { db, location, batch: createBatch(db), durabilityWarnings };
}

async function findDurabilityWarnings(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_settings where setting = 'off'
    and name in ('fsync', 'full_page_writes', 'synchronous_commit')`.execute(db);
  return rows.map(({ name }) => `PostgreSQL runs with ${name} off: a power cut may lose stored messages`);
}

async function migrateOrClose(db: Kysely<Tables>): Promise<void> {
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** In bytes; of SQLite with its write-ahead log. */
async function measureSize(db: Kysely<Tables>, file: string): Promise<number> {
  if (!isSqlite(db)) {
    const { rows } = await sql<{
      size: unknown;
    }>`select pg_database_size(current_database()) as size`.execute(db);
    return Number(rows[0]?.size);
  }
  const sizes = await Promise.all([file, `${file}-wal`].map(path => stat(path).catch(undefinedIfMissing)));
  return sizes.reduce((all, found) => all + (found?.size ?? 0), 0);
}

async function readClock(db: Kysely<Tables>): Promise<ClockReading> {
  const time = sql.raw(isSqlite(db) ? 'null' : '(extract(epoch from clock_timestamp()) * 1000)::float8');
  const { rows } = await sql<{ newest: string | null; time: number | null }>`
    select (select max(received_at) from messages) as newest, ${time} as time`.execute(db);
  return { newestMessage: rows[0]?.newest ?? undefined, databaseTime: rows[0]?.time ?? undefined };
}

async function assertWritable(db: Kysely<Tables>): Promise<void> {
  await sql`insert into readiness (id, checks) values (1, 1)
    on conflict (id) do update set checks = readiness.checks % 1000000 + 1`.execute(db);
}
