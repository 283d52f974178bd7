import { type Kysely, sql, type Transaction } from 'kysely';
import { recordInterrupted } from './attempts.ts';
import type { Delivery } from './deliveries.ts';
import { isSqlite } from './query-helpers.ts';
import { lockReceiver } from './receivers.ts';
import type { DeliveryKind, Tables } from './tables.ts';
import { type Throttle, takeCapacity } from './throttles.ts';

export type Claim = {
  receiver: string;
  now: string;
  lease: string;
  leaseUntil: string;
  limit: number;
  kinds?: readonly DeliveryKind[];
  throttle?: Throttle;
  probeEveryMs?: number;
};

const never = new Date(0).toISOString();

export const dueColumns = { waiting: 'due_at', sending: 'lease_until' } as const;

export function createClaim(db: Kysely<Tables>): (claim: Claim) => Promise<Delivery[]> {
  const take = (
    transaction: Transaction<Tables>,
    state: keyof typeof dueColumns,
    { receiver, now, kinds }: Claim,
    limit: number,
    only?: 'tried' | 'untried',
  ) =>
    transaction
      .selectFrom('deliveries')
      .selectAll()
      .where('receiver', '=', receiver)
      .where('state', '=', sql.lit(state))
      .where(dueColumns[state], '<=', now)
      .$if(kinds !== undefined, query => query.where('kind', 'in', kinds as DeliveryKind[]))
      .$if(only !== undefined, query => query.where('attempts', only === 'tried' ? '>' : '=', sql.lit(0)))
      .orderBy(dueColumns[state])
      .limit(limit)
      .$if(!isSqlite(db), query => query.forUpdate().skipLocked())
      .execute();

  return claim =>
    db.transaction().execute(async transaction => {
      const { receiver, now, lease, leaseUntil, limit, throttle, probeEveryMs = 0 } = claim;
      const state = await lockReceiver(transaction, receiver);
      if (state?.paused_at) return [];
      const isFailing = Boolean(state?.failing_at);
      const isProbing = isFailing && Date.parse(now) - Date.parse(state?.probed_at ?? never) >= probeEveryMs;
      // Three queries, so that each is answered from an index alone.
      const probe = isProbing ? await take(transaction, 'waiting', claim, 1, 'untried') : [];
      const expired = await take(transaction, 'sending', claim, limit - probe.length);
      const remaining = limit - probe.length - expired.length;
      const waiting = await take(transaction, 'waiting', claim, remaining, isFailing ? 'tried' : undefined);
      const found = [...probe, ...expired, ...waiting];
      if (found.length === 0) return [];
      const isThrottled = throttle !== undefined && !isSqlite(db);
      const due = isThrottled
        ? found.slice(0, await takeCapacity(transaction, receiver, throttle, found.length))
        : found;
      if (due.length === 0) return [];
      const references = due.map(({ reference }) => reference);
      const interrupted = due.filter(({ state }) => state === 'sending');
      if (probe.length > 0) {
        await transaction
          .updateTable('receivers')
          .set({ probed_at: now })
          .where('name', '=', receiver)
          .execute();
      }
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
