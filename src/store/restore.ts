import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { jsonRows } from './batch.ts';
import { type Counts, countAll } from './dump.ts';
import { type DumpedTable, dumpedNames, dumpedTables, type Row, type Shape } from './dumped-tables.ts';
import { migrate, migrationLock, migrationNames } from './migrate.ts';
import type { Dialect, StoreOptions } from './open.ts';
import { openPool } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { AuditRow, SubscriberRow, Tables } from './tables.ts';

/** What is in the way, for the person who must decide. */
export type Standing = {
  counts: Counts;
  audit: AuditRow[];
  /** The value of each secret. */
  secrets: Record<string, string>;
};

/** A database that is to be filled from a dump, and is used by nobody else meanwhile. */
export type Target = AsyncDisposable & {
  place: string;
  shapes: Readonly<Record<DumpedTable, Shape>>;
  migrations: readonly string[];
  look(): Promise<Standing>;
  /** Everybody who left the newsletter or was suppressed at that time or later. */
  listDepartures(since: string): Promise<SubscriberRow[]>;
  /** Who else is connected to it, by the name they gave. SQLite's file is this process's alone. */
  listOthers(): Promise<string[]>;
  /** Replaces everything in one transaction: what `work` throws, or a kill, leaves the database as it was. */
  replace<Result>(work: (insert: Insert) => Promise<Result>): Promise<Result>;
};

export type Insert = (table: DumpedTable, rows: readonly Row[]) => Promise<void>;

/** Another process has the file open. */
export class InUse extends Error {}

/** Makes the database where there is none, and brings it up to the code's migrations. */
export async function openTarget(options: StoreOptions): Promise<Target> {
  const dialect: Dialect = options.databaseUrl ? 'postgres' : 'sqlite';
  const { db, place } = options.databaseUrl
    ? openServer(options.databaseUrl, options.onError)
    : await openFile(options);
  try {
    await migrate(db, dialect);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    place,
    shapes: dumpedTables,
    migrations: migrationNames,
    async look() {
      const secrets = await db.selectFrom('secrets').selectAll().execute();
      return {
        counts: await countAll(db),
        audit: await db.selectFrom('audit').selectAll().execute(),
        secrets: Object.fromEntries(secrets.map(({ name, value }) => [name, value])),
      };
    },
    listDepartures: since =>
      db
        .selectFrom('subscribers')
        .selectAll()
        .where(({ eb, or }) => or([eb('left_at', '>=', since), eb('suppressed_at', '>=', since)]))
        .execute(),
    async listOthers() {
      if (dialect === 'sqlite') return [];
      // Whoever has just left is listed for a moment longer.
      for (let looks = 1; ; looks += 1) {
        const others = await listClients(db);
        if (others.length === 0 || looks === 4) return others;
        await wait(250);
      }
    },
    replace: work =>
      db.transaction().execute(async transaction => {
        await (dialect === 'sqlite' ? emptyFile(transaction) : emptyServer(transaction));
        return work((table, rows) => insert(transaction, table, rows));
      }),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

async function listClients(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select coalesce(nullif(application_name, ''), usename) as name
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and backend_type = 'client backend' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

async function openFile({ dataDir, onFailure, onError }: StoreOptions) {
  try {
    return await openSqlite(dataDir, onFailure ?? onError, { isAlone: true });
  } catch (error) {
    if (error instanceof Error && /database is locked/.test(error.message)) throw new InUse(error.message);
    throw error;
  }
}

/** One connection with all the patience it needs: nobody waits for its answers but the owner. */
function openServer(address: string, onError: (error: Error) => void) {
  const { host, pathname } = new URL(address);
  const db = openPool(address, { max: 1, connectionTimeoutMillis: 5000 }, onError);
  return { db, place: `postgres://${host}${pathname}` };
}

async function emptyFile(db: Transaction<Tables>): Promise<void> {
  for (const table of dumpedNames) await sql`delete from ${sql.table(table)}`.execute(db);
}

async function emptyServer(db: Transaction<Tables>): Promise<void> {
  // Whoever starts meanwhile waits here, and finds the secrets of the dump.
  await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(db);
  await sql`set local lock_timeout = '30s'`.execute(db);
  await sql`truncate ${sql.join(dumpedNames.map(name => sql.table(name)))}`.execute(db);
}

/** Rows go in as one JSON text: the same prepared statement for every page. */
async function insert(db: Transaction<Tables>, table: DumpedTable, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.entries(dumpedTables[table].columns);
  const names = columns.map(([name]) => sql.ref(name));
  const values = columns.map(([, { kind }], index) => {
    const value = sql`value ->> ${sql.lit(index)}`;
    return kind === 'integer' ? sql`cast(${value} as integer)` : value;
  });
  const json = JSON.stringify(rows.map(row => columns.map(([name]) => row[name])));
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) select ${sql.join(values)}
    from ${jsonRows(db, json)}`.execute(db);
}
