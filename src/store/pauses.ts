import type { CompiledQuery, Kysely, Selectable, Transaction } from 'kysely';
import type { Dialect } from './open.ts';
import type { ReceiverTable, Tables } from './tables.ts';

export type Refusal = { receiver: string; why: string; now: string; failingAfter: number };

/** Receivers that take nothing until their settings are mended, and those that refuse one delivery after the other. */
export type Pauses = {
  /** False when it was paused already. */
  pause(receiver: string, why: string, now: string): Promise<boolean>;
  resume(receiver: string): Promise<boolean>;
  listPaused(): Promise<{ name: string; paused_at: string; paused_why: string }[]>;
  /** True for the one refusal that makes so many in a row: the receiver is failing until it accepts something. */
  countRefusal(refusal: Refusal): Promise<boolean>;
  listFailing(): Promise<{ name: string; failing_at: string; failing_why: string; refusals: number }[]>;
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
      return db
        .selectFrom('receivers')
        .select(['name', 'paused_why'])
        .select(({ ref }) => ref('paused_at').$notNull().as('paused_at'))
        .where('paused_at', 'is not', null)
        .execute();
    },

    async countRefusal({ receiver, why, now, failingAfter }) {
      const { refusals } = await db
        .insertInto('receivers')
        .values({ name: receiver, refusals: 1, failing_why: why })
        .onConflict(conflict =>
          conflict.column('name').doUpdateSet(({ eb, fn }) => ({
            refusals: eb('receivers.refusals', '+', 1),
            failing_why: why,
            failing_at: eb
              .case()
              .when('receivers.refusals', '>=', failingAfter - 1)
              .then(fn.coalesce('receivers.failing_at', eb.val(now)))
              .end(),
          })),
        )
        .returning('refusals')
        .executeTakeFirstOrThrow();
      return refusals === failingAfter;
    },

    async listFailing() {
      return db
        .selectFrom('receivers')
        .select(['name', 'failing_why', 'refusals'])
        .select(({ ref }) => ref('failing_at').$notNull().as('failing_at'))
        .where('failing_at', 'is not', null)
        .execute();
    },
  };
}

/** Its state, which no other process changes until this transaction has ended. */
export function holdReceiver(
  db: Transaction<Tables>,
  dialect: Dialect,
  receiver: string,
): Promise<Selectable<ReceiverTable> | undefined> {
  return db
    .selectFrom('receivers')
    .selectAll()
    .where('name', '=', receiver)
    .$if(dialect === 'postgres', query => query.forUpdate())
    .executeTakeFirst();
}

/** Whether so long has passed since a failing receiver got what was never tried, or a clock ran ahead then. */
export function mayProbe(probedAt: string | null, now: string, everyMs: number): boolean {
  return probedAt === null || Math.abs(Date.parse(now) - Date.parse(probedAt)) >= everyMs;
}

export async function noteProbe(db: Transaction<Tables>, receiver: string, now: string): Promise<void> {
  await db.updateTable('receivers').set({ probed_at: now }).where('name', '=', receiver).execute();
}

/** It accepted something: whatever it refused before, it is not failing. */
export function noteAccepted(db: Kysely<Tables>, receiver: string): CompiledQuery {
  return db
    .updateTable('receivers')
    .set({ refusals: 0, failing_at: null, failing_why: '' })
    .where('name', '=', receiver)
    .where('refusals', '>', 0)
    .compile();
}
