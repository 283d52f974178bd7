import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Notice = { reference: string; receivers: readonly string[]; payload: string; now: string };

export type Turn = { chore: string; now: string; notSince: string };

/** What is done once, whatever the number of processes. */
export type Turns = {
  /** True for one asker in each period, whatever the number of processes; the notice goes out with that turn or not at all. */
  takeTurn(turn: Turn, notice?: Notice): Promise<boolean>;
  lastTurn(chore: string): Promise<string | undefined>;
  /** For what has no period: the owner did it just now. */
  noteDone(chore: string, now: string): Promise<void>;
};

export function createTurns(db: Kysely<Tables>): Turns {
  return {
    takeTurn: ({ chore, now, notSince }, notice) =>
      db.transaction().execute(async transaction => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('chores')
          .values({ name: chore, done_at: now })
          .onConflict(conflict =>
            conflict
              .column('name')
              .doUpdateSet({ done_at: now })
              // A time that lies a period ahead was taken from a clock that has since been put right.
              .where(({ eb, or }) =>
                or([
                  eb('chores.done_at', '<=', notSince),
                  eb('chores.done_at', '>', mirrored(now, notSince)),
                ]),
              ),
          )
          .executeTakeFirstOrThrow();
        if (!numInsertedOrUpdatedRows) return false;
        if (notice && notice.receivers.length > 0) await addNotice(transaction, notice);
        return true;
      }),

    async lastTurn(chore) {
      const row = await db
        .selectFrom('chores')
        .select('done_at')
        .where('name', '=', chore)
        .executeTakeFirst();
      return row?.done_at;
    },

    async noteDone(chore, now) {
      await db
        .insertInto('chores')
        .values({ name: chore, done_at: now })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ done_at: now }))
        .execute();
    },
  };
}

/** As long after now as the other time is before it. */
export function mirrored(now: string, before: string): string {
  return new Date(2 * Date.parse(now) - Date.parse(before)).toISOString();
}

/** A notice goes before whatever is waiting: it may be about that. */
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
