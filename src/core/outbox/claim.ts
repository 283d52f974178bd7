import { type Kysely, sql, type Transaction } from 'kysely';
import { isSqlite } from '../database/query-helpers.ts';
import type { Tables } from '../database/tables.ts';
import { recordInterrupted } from './attempts.ts';
import type { Delivery } from './deliveries.ts';
import { isPaused } from './receivers.ts';
import { type Throttle, takeCapacity } from './throttles.ts';

export type Claim = {
  receiver: string;
  now: string;
  lease: string;
  leaseUntil: string;
  limit: number;
  throttle?: Throttle;
};

export const dueColumns = { waiting: 'due_at', sending: 'lease_until' } as const;

export function createClaim(db: Kysely<Tables>): (claim: Claim) => Promise<Delivery[]> {
  const take = (
    transaction: Transaction<Tables>,
    state: keyof typeof dueColumns,
    { receiver, now }: Claim,
    limit: number,
  ) =>
    transaction
      .selectFrom('deliveries')
      .selectAll()
      .where('receiver', '=', receiver)
      .where('state', '=', sql.lit(state))
      .where(dueColumns[state], '<=', now)
      .orderBy(dueColumns[state])
      .limit(limit)
      .$if(!isSqlite(db), query => query.forUpdate().skipLocked())
      .execute();

  return claim =>
    db.transaction().execute(async transaction => {
      const { receiver, now, lease, leaseUntil, limit, throttle } = claim;
      if (await isPaused(transaction, receiver)) return [];
      // Two queries, so that each is answered from an index alone.
      const expired = await take(transaction, 'sending', claim, limit);
      const waiting = await take(transaction, 'waiting', claim, limit - expired.length);
      const found = [...expired, ...waiting];
      if (found.length === 0) return [];
      const due = throttle
        ? found.slice(0, await takeCapacity(transaction, receiver, throttle, found.length))
        : found;
      if (due.length === 0) return [];
      const references = due.map(({ reference }) => reference);
      const interrupted = due.filter(({ state }) => state === 'sending');
      await transaction
        .updateTable('deliveries')
        .set({
          is_ambiguous: sql`case when state = 'sending' then 1 else is_ambiguous end`,
          attempts: sql`case when state = 'sending' then attempts + 1 else attempts end`,
          state: 'sending',
          lease,
          lease_until: leaseUntil,
        })
        .where('receiver', '=', receiver)
        .where('reference', 'in', references)
        .execute();
      await recordInterrupted(transaction, receiver, interrupted, now);
      return due.map(delivery => ({
        ...delivery,
        is_ambiguous: delivery.state === 'sending' ? 1 : delivery.is_ambiguous,
        attempts: delivery.attempts + (delivery.state === 'sending' ? 1 : 0),
        state: 'sending' as const,
        lease,
        lease_until: leaseUntil,
      }));
    });
}
