import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { recordCutOff } from './attempts.ts';
import type { Dialect } from './open.ts';
import { type Pace, takeRoom } from './paces.ts';
import { holdReceiver, mayProbe, noteProbe } from './pauses.ts';
import type { DeliveryKind, DeliveryTable, Tables } from './tables.ts';

export type Delivery = Selectable<DeliveryTable>;

export type Claim = {
  receiver: string;
  now: string;
  lease: string;
  leaseUntil: string;
  limit: number;
  /** Unset: of every kind. */
  kinds?: readonly DeliveryKind[];
  /** Held over all processes that share the database. */
  pace?: Pace;
  /** One of those that were never tried in this time, while the receiver is failing. */
  probeEveryMs?: number;
};

/** What a delivery in this state waits for before it may be claimed. */
export const whenDue = { waiting: 'due_at', sending: 'lease_until' } as const;

export function createClaim(db: Kysely<Tables>, dialect: Dialect): (claim: Claim) => Promise<Delivery[]> {
  const take = (
    transaction: Transaction<Tables>,
    state: keyof typeof whenDue,
    { receiver, now, kinds }: Claim,
    limit: number,
    only?: 'tried' | 'untried',
  ) =>
    transaction
      .selectFrom('deliveries')
      .selectAll()
      .where('receiver', '=', receiver)
      .where('state', '=', sql.lit(state))
      .where(whenDue[state], '<=', now)
      .$if(kinds !== undefined, query => query.where('kind', 'in', kinds as DeliveryKind[]))
      .$if(only !== undefined, query => query.where('attempts', only === 'tried' ? '>' : '=', sql.lit(0)))
      .orderBy(whenDue[state])
      .limit(limit)
      .$if(dialect === 'postgres', query => query.forUpdate().skipLocked())
      .execute();

  return claim =>
    db.transaction().execute(async transaction => {
      const { receiver, now, lease, leaseUntil, limit, pace, probeEveryMs = 0 } = claim;
      const state = await holdReceiver(transaction, dialect, receiver);
      if (state?.paused_at) return [];
      const isFailing = Boolean(state?.failing_at);
      const isProbing = isFailing && mayProbe(state?.probed_at ?? null, now, probeEveryMs);
      // Each question is answered from an index alone, however long the line is.
      const probe = isProbing ? await take(transaction, 'waiting', claim, 1, 'untried') : [];
      const expired = await take(transaction, 'sending', claim, limit - probe.length);
      const room = limit - probe.length - expired.length;
      const waiting = await take(transaction, 'waiting', claim, room, isFailing ? 'tried' : undefined);
      const found = [...probe, ...expired, ...waiting];
      if (found.length === 0) return [];
      const isPaced = pace !== undefined && dialect === 'postgres';
      const due = isPaced ? found.slice(0, await takeRoom(transaction, receiver, pace, found.length)) : found;
      if (due.length === 0) return [];
      if (probe.length > 0) await noteProbe(transaction, receiver, now);
      await transaction
        .updateTable('deliveries')
        .set(({ eb }) => ({
          is_ambiguous: eb.case().when('state', '=', 'sending').then(1).else(eb.ref('is_ambiguous')).end(),
          attempts: eb
            .case()
            .when('state', '=', 'sending')
            .then(eb('attempts', '+', 1))
            .else(eb.ref('attempts'))
            .end(),
          state: 'sending',
          lease,
          lease_until: leaseUntil,
        }))
        .where('receiver', '=', receiver)
        .where(
          'reference',
          'in',
          due.map(({ reference }) => reference),
        )
        .execute();
      await recordCutOff(
        transaction,
        receiver,
        due.filter(({ state }) => state === 'sending'),
        claim.now,
      );
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
