import type { Kysely } from 'kysely';
import { withAdvisoryLock } from '../database/advisory-lock.ts';
import { type Batch, countRows } from '../database/query-helpers.ts';
import type { AttemptRow, Tables } from '../database/tables.ts';
import { keepsAttempts, recordSettled } from './attempts.ts';
import { createClaim, dueColumns } from './claim.ts';
import {
  type Delivery,
  type DeliveryFilter,
  filterDeliveries,
  type RescheduledState,
  type Settlement,
} from './deliveries.ts';
import { msUntilCapacity, type Throttle } from './throttles.ts';

export type Outbox = ReturnType<typeof createOutbox>;

type MailboxClaim = { reference: string; receiver: string; mailbox: string; since: string };

type RetryFilter = Pick<DeliveryFilter, 'states' | 'reference' | 'receiver'>;

export function createOutbox(db: Kysely<Tables>, batch: Batch) {
  const filtered = (filter: DeliveryFilter) => filterDeliveries(db, filter);

  return {
    claim: createClaim(db),
    msUntilCapacity: (receiver: string, throttle: Throttle): Promise<number> =>
      msUntilCapacity(db, receiver, throttle),

    /** False, and nothing is changed, when the lease was lost. */
    async settle(
      delivery: Delivery,
      settlement: Settlement,
      rescheduledState?: RescheduledState,
    ): Promise<boolean> {
      const { reference, receiver, lease } = delivery;
      const { state } = settlement;
      const settled = db
        .updateTable('deliveries')
        .set({
          state: state === 'waiting' ? (rescheduledState ?? state) : state,
          attempts: settlement.attempts,
          is_possible_duplicate: Number(settlement.isPossibleDuplicate),
          lease: null,
          lease_until: null,
          ...('reason' in settlement && {
            last_failure: settlement.reason,
            is_ambiguous: Number(settlement.isAmbiguous),
          }),
          ...('dueAt' in settlement ? { due_at: settlement.dueAt } : { settled_at: settlement.now }),
        })
        .where('reference', '=', reference)
        .where('receiver', '=', receiver)
        .where('lease', '=', lease)
        .compile();
      const [result] = keepsAttempts(delivery)
        ? (await batch([recordSettled(db, delivery, settlement), settled])).slice(1)
        : [await db.executeQuery(settled)];
      return result?.numAffectedRows === 1n;
    },

    /** True if no other delivery of the receiver went to this mailbox since `since`. A retry of the same delivery gets true again. */
    claimMailbox: ({ reference, receiver, mailbox, since }: MailboxClaim): Promise<boolean> =>
      withAdvisoryLock(db, async transaction => {
        const other = await transaction
          .selectFrom('deliveries')
          .select('reference')
          .where('mailbox', '=', mailbox)
          .where('receiver', '=', receiver)
          .where('reference', '!=', reference)
          .where('state', '!=', 'cancelled')
          .where(({ eb, or }) => or([eb('settled_at', 'is', null), eb('settled_at', '>', since)]))
          .executeTakeFirst();
        if (other) return false;
        await transaction
          .updateTable('deliveries')
          .set({ mailbox })
          .where('reference', '=', reference)
          .where('receiver', '=', receiver)
          .execute();
        return true;
      }),

    async nextDue(receiver: string): Promise<string | undefined> {
      const earliest = (state: keyof typeof dueColumns) =>
        db
          .selectFrom('deliveries')
          .select(({ fn }) => fn.min<string | null>(dueColumns[state]).as('at'))
          .where('receiver', '=', receiver)
          .where('state', '=', state);
      const rows = await earliest('waiting').unionAll(earliest('sending')).execute();
      return rows
        .map(({ at }) => at)
        .filter(at => at !== null)
        .sort()[0];
    },

    list: (filter: DeliveryFilter, limit: number): Promise<Delivery[]> =>
      filtered(filter)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('reference')
        .orderBy('receiver')
        .limit(limit)
        .execute(),

    count: (filter: DeliveryFilter, max?: number): Promise<number> => countRows(db, filtered(filter), max),

    async lastFailed(receiver: string): Promise<{ at: string; reason: string } | undefined> {
      const row = await filtered({ states: ['failed'], receiver })
        .select(['settled_at', 'last_failure'])
        .orderBy('settled_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && { at: row.settled_at as string, reason: row.last_failure };
    },

    async listReceivers(): Promise<string[]> {
      const rows = await db
        .selectFrom('deliveries')
        .select('receiver')
        .distinct()
        .where('state', 'in', ['waiting', 'sending'])
        .execute();
      return rows.map(({ receiver }) => receiver);
    },

    /** Makes them due now, with no attempts. Never mail to subscribers, which is sent at most once. */
    async retryNow({ states = ['failed'], reference, receiver }: RetryFilter, now: string): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set(({ eb }) => ({
          // An attempt in progress may yet succeed.
          is_ambiguous: eb.case().when('state', '=', 'sending').then(1).else(eb.ref('is_ambiguous')).end(),
          state: 'waiting',
          attempts: 0,
          due_at: now,
          settled_at: null,
          lease: null,
          lease_until: null,
        }))
        .where('state', 'in', states)
        .where('subscriber', 'is', null)
        .$if(reference !== undefined, query => query.where('reference', '=', reference as string))
        .$if(receiver !== undefined, query => query.where('receiver', '=', receiver as string))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },

    listAttempts: (reference: string): Promise<AttemptRow[]> =>
      db
        .selectFrom('attempts')
        .selectAll()
        .where('reference', '=', reference)
        .orderBy('receiver')
        .orderBy('number')
        .execute(),
  };
}
