import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { isSqlite, jsonRows } from '../database/query-helpers.ts';
import type { Tables } from '../database/tables.ts';
import type { Delivery, Settlement } from './deliveries.ts';
import { storeFailure } from './failures.ts';

/** Not of notices, which bring their own payload, nor of mail to subscribers. */
export function keepsAttempts({ payload, subscriber }: Delivery): boolean {
  return payload === null && subscriber === null;
}

/** Runs before the settlement in its transaction: an attempt whose lease is lost is not recorded. */
export function recordSettled(
  db: Kysely<Tables>,
  { reference, receiver, lease }: Delivery,
  settlement: Settlement,
): CompiledQuery {
  const reason = 'reason' in settlement ? settlement.reason : '';
  const lock = isSqlite(db) ? sql`` : sql`for update`;
  return sql`insert into attempts (reference, receiver, number, ended_at, state, reason)
    select reference, receiver, ${nextNumber(sql.ref('deliveries.reference'), receiver)},
      ${settlement.now}, ${settlement.state}, ${reason}
    from deliveries where reference = ${reference} and receiver = ${receiver} and lease = ${lease} ${lock}`.compile(
    db,
  );
}

export async function recordInterrupted(
  db: Transaction<Tables>,
  receiver: string,
  interrupted: readonly Delivery[],
  now: string,
): Promise<void> {
  const references = interrupted.filter(keepsAttempts).map(({ reference }) => [reference]);
  if (references.length === 0) return;
  await sql`insert into attempts (reference, receiver, number, ended_at, state, reason)
    select value ->> 0, ${receiver}, ${nextNumber(sql`value ->> 0`, receiver)},
      ${now}, 'waiting', ${storeFailure({ code: 'result-unknown' })}
    from ${jsonRows(db, references)} where true`.execute(db);
}

function nextNumber(reference: ReturnType<typeof sql>, receiver: string) {
  return sql`1 + coalesce((select max(past.number) from attempts as past
    where past.reference = ${reference} and past.receiver = ${receiver}), 0)`;
}
