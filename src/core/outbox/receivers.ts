import type { Kysely, Transaction } from 'kysely';
import { isSqlite } from '../database/query-helpers.ts';
import type { Tables } from '../database/tables.ts';
import { readStoredFailure } from './failures.ts';

export type ReceiverStates = ReturnType<typeof createReceiverStates>;

/** A paused receiver gets nothing until its settings are fixed. */
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

    async listPaused(names?: readonly string[]) {
      const rows = await db
        .selectFrom('receivers')
        .select(['name', 'pause_reason'])
        .select(({ ref }) => ref('paused_at').$notNull().as('paused_at'))
        .where('paused_at', 'is not', null)
        .execute();
      return rows
        .filter(({ name }) => names?.includes(name) ?? true)
        .map(({ pause_reason, ...paused }) => ({ ...paused, failure: readStoredFailure(pause_reason) }));
    },
  };
}

/** Locked, so that nothing is claimed of a receiver that is being paused. */
export async function isPaused(db: Transaction<Tables>, receiver: string): Promise<boolean> {
  const row = await db
    .selectFrom('receivers')
    .select('paused_at')
    .where('name', '=', receiver)
    .$if(!isSqlite(db), query => query.forUpdate())
    .executeTakeFirst();
  return Boolean(row?.paused_at);
}
