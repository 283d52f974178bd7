import { type Kysely, sql, type Transaction } from 'kysely';
import { isSqlite } from './query-helpers.ts';
import type { Tables } from './tables.ts';

/** Held while tables are changed or restored: a process that starts meanwhile waits. */
export const migrationLock = 7_301_442;
const subscribersLock = 7_301_443;

export function withAdvisoryLock<Result>(
  db: Kysely<Tables>,
  work: (db: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async transaction => {
    if (!isSqlite(db)) await sql`select pg_advisory_xact_lock(${subscribersLock})`.execute(transaction);
    return work(transaction);
  });
}
