import type { Kysely } from 'kysely';
import { withAdvisoryLock } from '../database/advisory-lock.ts';
import type { Batch } from '../database/query-helpers.ts';
import type { Tables } from '../database/tables.ts';
import { createClaim, dueColumns } from './claim.ts';
import type { DeliveryFilter } from './deliveries.ts';
import { createDeliveryQueries } from './delivery-queries.ts';
import { createLeases } from './leases.ts';
import { createSettle } from './settle.ts';
import { msUntilCapacity, type Throttle } from './throttles.ts';

export type Outbox = ReturnType<typeof createOutbox>;

type MailboxClaim = { reference: string; receiver: string; mailbox: string; since: string };

type RetryFilter = Pick<DeliveryFilter, 'states' | 'reference' | 'receiver'>;

export function createOutbox(db: Kysely<Tables>, batch: Batch) {
  return {
    ...createDeliveryQueries(db),
    claim: createClaim(db),
    settle: createSettle(db, batch),
    claimMailbox: (claim: MailboxClaim): Promise<boolean> => claimMailbox(db, claim),
    ...createLeases(db),
    msUntilCapacity: (receiver: string, throttle: Throttle): Promise<number> =>
      msUntilCapacity(db, receiver, throttle),

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
  };
}

/** True if no other delivery of the receiver went to this mailbox since `since`. A retry of the same delivery gets true again. */
function claimMailbox(
  db: Kysely<Tables>,
  { reference, receiver, mailbox, since }: MailboxClaim,
): Promise<boolean> {
  return withAdvisoryLock(db, async transaction => {
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
  });
}
