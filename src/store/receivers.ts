import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import { isSqlite } from './query-helpers.ts';
import type { Tables } from './tables.ts';

export type ReceiverStates = ReturnType<typeof createReceiverStates>;

type Refusal = { receiver: string; reason: string; now: string; failureThreshold: number };

/** A paused receiver gets nothing until its settings are fixed; a failing one has refused several deliveries in a row. */
export function createReceiverStates(db: Kysely<Tables>) {
  return {
    async pause(receiver: string, reason: string, now: string): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('receivers')
        .values({ name: receiver, paused_at: now, pause_reason: reason })
        .onConflict(conflict =>
          conflict
            .column('name')
            .doUpdateSet({ paused_at: now, pause_reason: reason })
            .where('receivers.paused_at', 'is', null),
        )
        .executeTakeFirstOrThrow();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async resume(receiver: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('receivers')
        .set({ paused_at: null, pause_reason: '' })
        .where('name', '=', receiver)
        .where('paused_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    listPaused: () =>
      db
        .selectFrom('receivers')
        .select(['name', 'pause_reason'])
        .select(({ ref }) => ref('paused_at').$notNull().as('paused_at'))
        .where('paused_at', 'is not', null)
        .execute(),

    async countRefusal({ receiver, reason, now, failureThreshold }: Refusal): Promise<boolean> {
      const { refusals } = await db
        .insertInto('receivers')
        .values({ name: receiver, refusals: 1, failure_reason: reason })
        .onConflict(conflict =>
          conflict.column('name').doUpdateSet(({ eb, fn }) => ({
            refusals: eb('receivers.refusals', '+', 1),
            failure_reason: reason,
            failing_at: eb
              .case()
              .when('receivers.refusals', '>=', failureThreshold - 1)
              .then(fn.coalesce('receivers.failing_at', eb.val(now)))
              .end(),
          })),
        )
        .returning('refusals')
        .executeTakeFirstOrThrow();
      return refusals === failureThreshold;
    },

    listFailing: () =>
      db
        .selectFrom('receivers')
        .select(['name', 'failure_reason', 'refusals'])
        .select(({ ref }) => ref('failing_at').$notNull().as('failing_at'))
        .where('failing_at', 'is not', null)
        .execute(),
  };
}

export function lockReceiver(db: Transaction<Tables>, receiver: string) {
  return db
    .selectFrom('receivers')
    .selectAll()
    .where('name', '=', receiver)
    .$if(!isSqlite(db), query => query.forUpdate())
    .executeTakeFirst();
}

export function resetRefusals(db: Kysely<Tables>, receiver: string): CompiledQuery {
  return db
    .updateTable('receivers')
    .set({ refusals: 0, failing_at: null, failure_reason: '' })
    .where('name', '=', receiver)
    .where('refusals', '>', 0)
    .compile();
}
