import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { createBatch } from './batch.ts';
import { createDump, type Dump } from './dump.ts';
import { createFigures, type Figures } from './figures.ts';
import { createIssues, type Issues } from './issues.ts';
import { createMessages, type Messages } from './messages.ts';
import { migrate } from './migrate.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { openPool, patience } from './postgres.ts';
import { createPrivacy, type Privacy } from './privacy.ts';
import { createRateCounts, type RateCounts } from './rate-counts.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { openSqlite, SqliteError } from './sqlite.ts';
import { createSubscribers, type Subscribers } from './subscribers.ts';
import type { Tables } from './tables.ts';
import { createViews, type Views } from './views.ts';

export type Store = {
  /** What the owner may read: where the data is kept, without a password. */
  place: string;
  /** Whether other processes may use it at the same time. */
  isShared: boolean;
  messages: Messages;
  outbox: Outbox;
  subscribers: Subscribers;
  issues: Issues;
  figures: Figures;
  privacy: Privacy;
  rateCounts: RateCounts;
  secrets: Secrets;
  views: Views;
  dump: Dump;
  /** What makes it less durable than it should be, in words for the log. */
  doubts: string[];
  /** Writes and commits a row, so that "ready" means "able to store" and not "able to connect". */
  assertWritable(): Promise<void>;
  close(): Promise<void>;
};

export type StoreOptions = {
  dataDir: string;
  databaseUrl: string | undefined;
  /** A connection was lost; the next one may work. */
  onError(error: Error): void;
  /** What the database says can no longer be believed: this process must end. */
  onFailure?(error: Error): void;
  observer?: Observer;
};

/** Told of what storing took, for whoever measures. */
export type Observer = {
  /** A group was stored by one commit. */
  onGroup(size: number, ms: number): void;
  /** A commit waited for the disk: of SQLite the commit alone, of PostgreSQL its round trip. */
  onDisk(ms: number): void;
};

export type Dialect = 'sqlite' | 'postgres';

/** Opens the database and brings it up to the code's migrations. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const dialect = options.databaseUrl ? 'postgres' : 'sqlite';
  const { onGroup, onDisk } = options.observer ?? {};
  const { db, place, batch, doubts } = options.databaseUrl
    ? await openPostgres(options.databaseUrl, options.onError, onDisk)
    : await openSqlite(options.dataDir, options.onFailure ?? options.onError, { onDisk });
  if (dialect === 'sqlite') await migrateOrClose(db, dialect);
  return {
    place,
    isShared: dialect === 'postgres',
    messages: createMessages({ db, dialect, batch, isHopeless, onGroup }),
    outbox: createOutbox(db, dialect, batch),
    subscribers: createSubscribers({ db, dialect, batch, isHopeless, onGroup }),
    issues: createIssues(db),
    figures: createFigures(db, dialect),
    privacy: createPrivacy(db, dialect, place),
    rateCounts: createRateCounts(db, dialect),
    secrets: createSecrets(db),
    views: createViews(db, dialect),
    dump: createDump({ dialect, connect: () => openApart(options) }),
    doubts,
    assertWritable: () => assertWritable(db),
    close: () => db.destroy(),
  };
}

/** Whether the database itself failed, and not what it was asked: then trying the parts of a group is in vain. */
function isHopeless(error: unknown): boolean {
  if (error instanceof SqliteError) {
    const [mismatch, constraint, tooBig] = [20, 19, 18];
    return ![mismatch, constraint, tooBig].includes(error.errcode & 0xff);
  }
  // Classes 22 and 23 of PostgreSQL are about values; 40 is a transaction that may well succeed by itself.
  return !(error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? ''));
}

async function openPostgres(
  address: string,
  onError: (error: Error) => void,
  onDisk: Observer['onDisk'] | undefined,
) {
  const migrating = openPool(address, { max: 1, connectionTimeoutMillis: 5000 }, onError);
  await migrateOrClose(migrating, 'postgres');
  await migrating.destroy();
  const url = new URL(address);
  const place = `postgres://${url.host}${url.pathname}`;
  const db = openPool(address, { max: 10, ...patience }, onError, onDisk);
  // Kysely opens a pool at its first query, and one that was never opened cannot be closed.
  await sql`select 1`.execute(db);
  return { db, place, batch: createBatch(db), doubts: await findDoubts(db) };
}

/** A connection beside the others, for what lasts too long for their patience. */
async function openApart({ databaseUrl, dataDir, onError }: StoreOptions): Promise<Kysely<Tables>> {
  if (!databaseUrl) return (await openSqlite(dataDir, onError)).db;
  return openPool(databaseUrl, { max: 1, connectionTimeoutMillis: 5000, keepAlive: true }, onError);
}

/** A server of somebody else's may be set not to wait for its disk. We cannot change that, but we can say it. */
async function findDoubts(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_settings where setting = 'off'
    and name in ('fsync', 'full_page_writes', 'synchronous_commit')`.execute(db);
  return rows.map(({ name }) => `PostgreSQL runs with ${name} off: a power cut may lose answered messages`);
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
