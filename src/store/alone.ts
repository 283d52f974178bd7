import { type Kysely, sql, type Transaction } from 'kysely';
import type { Dialect } from './open.ts';
import type { Tables } from './tables.ts';

/** A transaction beside which no other of these runs, in whatever process. */
export type Alone = <Result>(work: (db: Transaction<Tables>) => Promise<Result>) => Promise<Result>;

const lockKey = 7_301_443;

/** For what looks at many subscribers before it writes. On SQLite every transaction is alone as it is. */
export function createAlone(db: Kysely<Tables>, dialect: Dialect): Alone {
  return work =>
    db.transaction().execute(async transaction => {
      if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${lockKey})`.execute(transaction);
      return work(transaction);
    });
}
