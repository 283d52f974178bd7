import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Receivers that take nothing until somebody has mended their settings. */
export type Pauses = {
  /** False when it was paused already. */
  pause(receiver: string, why: string, now: string): Promise<boolean>;
  resume(receiver: string): Promise<boolean>;
  listPaused(): Promise<{ name: string; paused_at: string; paused_why: string }[]>;
};

export function createPauses(db: Kysely<Tables>): Pauses {
  return {
    async pause(receiver, why, now) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('receivers')
        .values({ name: receiver, paused_at: now, paused_why: why })
        .onConflict(conflict =>
          conflict
            .column('name')
            .doUpdateSet({ paused_at: now, paused_why: why })
            .where('receivers.paused_at', 'is', null),
        )
        .executeTakeFirstOrThrow();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async resume(receiver) {
      const { numUpdatedRows } = await db
        .updateTable('receivers')
        .set({ paused_at: null, paused_why: '' })
        .where('name', '=', receiver)
        .where('paused_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async listPaused() {
      const rows = await db.selectFrom('receivers').selectAll().where('paused_at', 'is not', null).execute();
      return rows.map(row => ({ ...row, paused_at: row.paused_at as string }));
    },
  };
}

export async function isPaused(db: Transaction<Tables>, receiver: string): Promise<boolean> {
  const found = await db
    .selectFrom('receivers')
    .select('name')
    .where('name', '=', receiver)
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}
