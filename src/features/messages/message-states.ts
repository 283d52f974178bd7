import type { Kysely, Transaction } from 'kysely';
import { isSqlite } from '../../core/database/query-helpers.ts';
import type { MessageState, Tables } from '../../core/database/tables.ts';
import { storeFailure } from '../../core/outbox/failures.ts';
import { refreshSearchTexts } from './search-texts.ts';
import { transitions } from './states.ts';

export type StateChange = { from: readonly MessageState[]; to: MessageState; now: string };

/** Each returns false, and changes nothing, where there is no such message in such a state. */
export function createMessageStates(db: Kysely<Tables>) {
  return {
    changeState: (reference: string, change: StateChange, note?: string): Promise<boolean> =>
      db.transaction().execute(async transaction => {
        if (!(await setState(transaction, reference, change))) return false;
        if (note !== undefined) await insertNote(transaction, reference, note, change.now);
        return true;
      }),
    markSpam: (reference: string, now: string): Promise<boolean> =>
      db.transaction().execute(async transaction => {
        if (!(await setState(transaction, reference, { ...transitions.spam, now }))) return false;
        // Failed deliveries are cancelled as well, so that a retry of all failed deliveries does not send spam.
        await transaction
          .updateTable('deliveries')
          .set({ state: 'cancelled', settled_at: now, last_failure: storeFailure({ code: 'spam' }) })
          .where('reference', '=', reference)
          .where('state', 'in', ['waiting', 'failed'])
          .execute();
        return true;
      }),
    addNote: (reference: string, text: string, now: string): Promise<boolean> =>
      db.transaction().execute(async transaction => {
        // Locked, so that an erasure at the same time leaves no note behind.
        const message = await transaction
          .selectFrom('messages')
          .select('reference')
          .where('reference', '=', reference)
          .$if(!isSqlite(db), query => query.forUpdate())
          .executeTakeFirst();
        if (message) await insertNote(transaction, reference, text, now);
        return message !== undefined;
      }),
  };
}

async function setState(
  transaction: Transaction<Tables>,
  reference: string,
  { from, to, now }: StateChange,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('messages')
    .set({
      state: to,
      ...(to === 'answered' && { answered_at: now }),
      ...(to === 'new' && { answered_at: null }),
      closed_at: to === 'closed' ? now : null,
    })
    .where('reference', '=', reference)
    .where('state', 'in', from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function insertNote(transaction: Transaction<Tables>, reference: string, text: string, now: string) {
  await transaction.insertInto('notes').values({ reference, created_at: now, text }).execute();
  await refreshSearchTexts(transaction, [reference]);
}
