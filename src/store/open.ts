import { mkdirSync } from 'node:fs';
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
  const { db, dialect, place } = options.databaseUrl
    ? openPostgres(options.databaseUrl, options.onError)
    : openSqlite(options.dataDir);
  try {
    await migrate(db, dialect);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    place,
    messages: createMessages(db),
    assertWritable: () => assertWritable(db),
    close: () => db.destroy(),
  };
}

function openSqlite(dataDir: string) {
  mkdirSync(dataDir, { recursive: true });
  const place = join(dataDir, 'wardhouse.sqlite');
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
  return { db, dialect: 'sqlite' as Dialect, place };
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

function openPostgres(address: string, onError: (error: Error) => void) {
  const pool = new pg.Pool({ connectionString: address, max: 10, connectionTimeoutMillis: 5000 });
  // An idle connection that the server ends is reported here; without a listener it would end the process.
  pool.on('error', onError);
  const url = new URL(address);
  const place = `postgres://${url.host}${url.pathname}`;
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, dialect: 'postgres' as Dialect, place };
}

async function assertWritable(db: Kysely<Tables>): Promise<void> {
  await sql`insert into readiness (id, checks) values (1, 1)
    on conflict (id) do update set checks = readiness.checks % 1000000 + 1`.execute(db);
}
