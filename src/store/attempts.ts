import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { jsonRows } from './batch.ts';
import type { Dialect } from './open.ts';
import type { Delivery, Settlement } from './outbox.ts';
import type { AttemptRow, Tables } from './tables.ts';

/** What became of each attempt to pass a message on. Letters to readers have none: what a server says of them may name them. */
export type Attempts = {
  /** By receiver, in the order they were made. */
  listAttempts(reference: string): Promise<AttemptRow[]>;
};

export function createAttempts(db: Kysely<Tables>): Attempts {
  return {
    listAttempts: reference =>
      db
        .selectFrom('attempts')
        .selectAll()
        .where('reference', '=', reference)
        .orderBy('receiver')
        .orderBy('number')
        .execute(),
  };
}

/** Recorded together with the settlement, and before it: whose lease has gone to another records nothing. */
export function recordSettled(
  db: Kysely<Tables>,
  dialect: Dialect,
  { reference, receiver, lease }: Delivery,
  settlement: Settlement,
): CompiledQuery {
  const why = 'why' in settlement ? settlement.why : '';
  // Held until the settlement, so that nobody takes the lease over between the two.
  const held = dialect === 'postgres' ? sql`for update` : sql``;
  return sql`insert into attempts (reference, receiver, number, ended_at, state, why)
    select reference, receiver, ${nextNumber(sql.ref('deliveries.reference'), receiver)},
      ${settlement.now}, ${settlement.state}, ${why}
    from deliveries where reference = ${reference} and receiver = ${receiver} and lease = ${lease} ${held}`.compile(
    db,
  );
}

/** Whoever held these leases is gone, or was too slow: how its attempt ended, nobody knows. */
export async function recordCutOff(
  db: Transaction<Tables>,
  receiver: string,
  expired: readonly Delivery[],
  now: string,
): Promise<void> {
  const references = expired.filter(({ kind }) => kind === 'message').map(({ reference }) => [reference]);
  if (references.length === 0) return;
  await sql`insert into attempts (reference, receiver, number, ended_at, state, why)
    select value ->> 0, ${receiver}, ${nextNumber(sql`value ->> 0`, receiver)},
      ${now}, 'waiting', 'cut off: no answer is known'
    from ${jsonRows(db, JSON.stringify(references))} where true`.execute(db);
}

function nextNumber(reference: ReturnType<typeof sql>, receiver: string) {
  return sql`1 + coalesce((select max(past.number) from attempts as past
    where past.reference = ${reference} and past.receiver = ${receiver}), 0)`;
}
