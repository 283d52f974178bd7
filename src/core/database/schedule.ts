import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

type Notice = { reference: string; receivers: readonly string[]; payload: string; now: string };

export type ScheduledRun = { name: string; now: string; lastRunBefore: string };

export type Schedule = ReturnType<typeof createSchedule>;

export function createSchedule(db: Kysely<Tables>) {
  return {
    /** True for one caller in each period, over all processes. The notice is queued in the same transaction. */
    claimScheduledRun: ({ name, now, lastRunBefore }: ScheduledRun, notice?: Notice): Promise<boolean> =>
      db.transaction().execute(async transaction => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('scheduled_runs')
          .values({ name, done_at: now })
          .onConflict(conflict =>
            conflict
              .column('name')
              .doUpdateSet({ done_at: now })
              .where('scheduled_runs.done_at', '<=', lastRunBefore),
          )
          .executeTakeFirstOrThrow();
        if (!numInsertedOrUpdatedRows) return false;
        if (notice && notice.receivers.length > 0) await addNotice(transaction, notice);
        return true;
      }),

    async lastRun(name: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('scheduled_runs')
        .select('done_at')
        .where('name', '=', name)
        .executeTakeFirst();
      return row?.done_at;
    },

    async recordRun(name: string, now: string): Promise<void> {
      await db
        .insertInto('scheduled_runs')
        .values({ name, done_at: now })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ done_at: now }))
        .execute();
    },
  };
}

/** A notice goes before the deliveries that wait: it may be about them. */
const first = new Date(0).toISOString();

async function addNotice(
  db: Transaction<Tables>,
  { reference, receivers, payload, now }: Notice,
): Promise<void> {
  const rows = receivers.map(receiver => ({
    reference,
    receiver,
    kind: 'notice' as const,
    payload,
    created_at: now,
    due_at: first,
  }));
  await db.insertInto('deliveries').values(rows).execute();
}
