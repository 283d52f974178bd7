import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import pg from 'pg';
import { createMessages, type Messages } from './messages.ts';
import { migrate } from './migrate.ts';
import type { Tables } from './tables.ts';

export type Store = {
  /** What the owner may read: where the data is kept, without a password. */
  place: string;
  messages: Messages;
  /** Writes and commits a row, so that "ready" means "able to store" and not "able to connect". */
  assertWritable(): Promise<void>;
  close(): Promise<void>;
};

export type StoreOptions = {
  dataDir: string;
  databaseUrl: string | undefined;
  onError(error: Error): void;
};

export type Dialect = 'sqlite' | 'postgres';

/** Opens the database and brings it up to the code's migrations. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { db, place } = options.databaseUrl
    ? await openPostgres(options.databaseUrl, options.onError)
    : await openSqlite(options.dataDir);
  return {
    place,
    messages: createMessages(db),
    assertWritable: () => assertWritable(db),
    close: () => db.destroy(),
  };
}

async function openSqlite(dataDir: string) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const place = join(dataDir, 'wardhouse.sqlite');
  // SQLite gives its log the mode of the database: what visitors wrote is for this user's eyes alone.
  closeSync(openSync(place, 'a', 0o600));
  const file = new DatabaseSync(place, { timeout: 5000 });
  file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
  assertDurable(file);
  const database = {
    close: () => file.close(),
    prepare(query: string) {
      const statement = file.prepare(query);
      return {
        reader: statement.columns().length > 0,
        all: (values: readonly unknown[]) => statement.all(...(values as never[])),
        run: (values: readonly unknown[]) => statement.run(...(values as never[])),
        iterate: (values: readonly unknown[]) => statement.iterate(...(values as never[])),
      };
    },
  };
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: database as never }) });
  await migrateOrClose(db, 'sqlite');
  return { db, place };
}

/** The promise "200 means stored" rests on these two settings: a build of SQLite that ignores them is refused. */
function assertDurable(file: DatabaseSync): void {
  const journal = file.prepare('PRAGMA journal_mode').get()?.journal_mode;
  const synchronous = file.prepare('PRAGMA synchronous').get()?.synchronous;
  if (journal !== 'wal' || synchronous !== 2) {
    throw new Error(
      `SQLite runs with journal_mode ${journal} and synchronous ${synchronous}, not wal and FULL`,
    );
  }
}

/** A database that stops answering fails a request; it must not hold it. Migrations may wait for each other. */
const patience = { connectionTimeoutMillis: 5000, query_timeout: 5000, statement_timeout: 5000 };

async function openPostgres(address: string, onError: (error: Error) => void) {
  const migrating = openPool(address, { max: 1, connectionTimeoutMillis: 5000 }, onError);
  await migrateOrClose(migrating, 'postgres');
  await migrating.destroy();
  const url = new URL(address);
  const place = `postgres://${url.host}${url.pathname}`;
  const db = openPool(address, { max: 10, ...patience }, onError);
  // Kysely opens a pool at its first query, and one that was never opened cannot be closed.
  await sql`select 1`.execute(db);
  return { db, place };
}

function openPool(address: string, options: pg.PoolConfig, onError: (error: Error) => void): Kysely<Tables> {
  const pool = new pg.Pool({ connectionString: address, ...options });
  // An idle connection that the server ends is reported here; without a listener it would end the process.
  pool.on('error', onError);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

async function migrateOrClose(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  try {
    await migrate(db, dialect);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function assertWritable(db: Kysely<Tables>): Promise<void> {
  await sql`insert into readiness (id, checks) values (1, 1)
    on conflict (id) do update set checks = readiness.checks % 1000000 + 1`.execute(db);
}
