import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { makeFolder } from '../files.ts';
import type { DroppedKind } from '../outbox/delivery.ts';
import { onTerminationSignal } from '../termination-signals.ts';
import { migrationLock } from './advisory-lock.ts';
import { snapshot } from './backup.ts';
import { copyTables, emptyTables, type RowCounts } from './copy-tables.ts';
import { migrate } from './migrate.ts';
import { createDatabase } from './open-store.ts';
import { openPool } from './postgres.ts';
import { createBatch, isSqlite } from './query-helpers.ts';
import { databaseFile, openSqlite, restoringFolder } from './sqlite.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;
type OnError = (error: Error) => void;

export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}

export async function openTarget(location: string, onError: OnError, isForced: boolean) {
  const { db } = isPostgres(location)
    ? { db: openPool(location, { max: 1, connectionTimeoutMillis: 5000, idleTimeoutMillis: 0 }, onError) }
    : await openSqlite(location, onError, { isExclusive: true }).catch(rethrowLockError);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => db.destroy());
  await assertNoOtherClients(db, isForced);
  // Until the connection closes: a process that starts meanwhile waits, and leaves the working copy alone.
  if (!isSqlite(db)) await sql`select pg_advisory_lock(${migrationLock})`.execute(db);
  await migrate(db);
  const { host, pathname } = isPostgres(location) ? new URL(location) : { host: '', pathname: '' };
  const opened = cleanup.move();
  return {
    db,
    location: host ? `postgres://${host}${pathname}` : location,
    database: createDatabase({ db, location, batch: createBatch(db) }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

export async function openWorkingCopy(
  file: string,
  dataDir: string,
  onError: OnError,
  options?: { isExclusive: boolean },
) {
  const folder = restoringFolder(dataDir);
  const path = databaseFile(folder);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(onTerminationSignal(remove));
  cleanup.defer(remove);
  await makeFolder(folder);
  await writeFile(path, '', { mode: 0o600 });
  await snapshot(file, path, options).catch(rethrowLockError);
  const { db } = await openSqlite(path, onError);
  cleanup.defer(() => db.destroy());
  await migrate(db);
  const opened = cleanup.move();
  return {
    db,
    database: createDatabase({ db, location: path, batch: createBatch(db) }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function rethrowLockError(error: Error): never {
  throw /database is locked/.test(error.message) ? new Error(`it is in use: ${advice}`) : error;
}

const advice = 'stop the site first';

/** A site that keeps running would use secrets and messages that are gone. SQLite's file is locked as a whole. */
export async function assertNoOtherClients(db: Db, isForced: boolean): Promise<void> {
  // A client of PostgreSQL that has just left is listed for a moment longer.
  for (let checks = 1; !isSqlite(db) && !isForced; checks += 1) {
    const { rows } = await sql<{ name: string }>`
      select coalesce(nullif(application_name, ''), usename) as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`.execute(db);
    if (rows.length === 0) return;
    const names = [...new Set(rows.map(({ name }) => name))].join(', ');
    if (checks === 4) throw new Error(`it is in use by ${names}: ${advice}`);
    await wait(250);
  }
}

export function replaceTables(target: Db, from: Db): Promise<RowCounts> {
  return target.transaction().execute(async transaction => {
    if (!isSqlite(target)) {
      await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction);
      await sql`set local lock_timeout = '30s'`.execute(transaction);
    }
    await emptyTables(transaction);
    return copyTables(from, transaction);
  });
}

/** What waited may have been sent since the backup: it is sent again, marked as ambiguous, unless its kind is dropped. */
export async function resetUnfinishedDeliveries(db: Db, dropped: readonly DroppedKind[], now: string) {
  const waited = db.updateTable('deliveries').where('state', 'in', ['waiting', 'sending', 'held']);
  const freed = { lease: null, lease_until: null, is_ambiguous: 1 };
  const last_failure = 'restored from a backup: it may have been sent since';
  const counts: Record<string, number> = {};
  for (const { kind, state, counted } of dropped) {
    const settled = { ...freed, last_failure, settled_at: now, state };
    const { numUpdatedRows } = await waited.where('kind', '=', kind).set(settled).executeTakeFirstOrThrow();
    counts[counted] = Number(numUpdatedRows);
  }
  const { numUpdatedRows } = await waited.set({ ...freed, state: 'waiting' }).executeTakeFirstOrThrow();
  return { dropped: counts, sentAgain: Number(numUpdatedRows) };
}
