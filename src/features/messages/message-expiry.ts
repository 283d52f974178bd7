import { type Kysely, sql } from 'kysely';
import { isAmong, isSqlite } from '../../core/database/query-helpers.ts';
import { type MessageState, messageStates, type Tables } from '../../core/database/tables.ts';
import { deleteMessageRows } from './delete-messages.ts';

export function createMessageExpiry(db: Kysely<Tables>) {
  const notices = (before: string) =>
    sql<boolean>`kind = 'notice' and created_at < ${before} and state in ('delivered', 'failed', 'cancelled')`;
  return {
    async listExpired(states: readonly MessageState[], before: string, limit: number): Promise<string[]> {
      const found: { reference: string; received_at: string }[] = [];
      // One query for each state, so that the index answers it.
      for (const state of states) {
        const rows = await db
          .selectFrom('messages')
          .select(['reference', 'received_at'])
          .where('state', '=', state)
          .where('received_at', '<', before)
          .orderBy('received_at')
          .limit(limit)
          .execute();
        found.push(...rows);
      }
      return found.slice(0, limit).map(({ reference }) => reference);
    },

    /** Digests of the quarantine quote what strangers wrote. */
    async listDigests(before: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('deliveries')
        .select('reference')
        .where(notices(before))
        .where('payload', 'like', '{"digest"%')
        .limit(limit)
        .execute();
      return rows.map(({ reference }) => reference);
    },

    /** Without those that have another state by now: the owner may have released one since it was listed. */
    deleteExpiredMessages: (
      references: readonly string[],
      states: readonly MessageState[] = messageStates,
    ): Promise<{ messages: number; undelivered: number }> =>
      db.transaction().execute(async transaction => {
        const present = await transaction
          .selectFrom('messages')
          .select(['reference', 'state'])
          .where(isAmong(db, references))
          .orderBy('reference')
          .$if(!isSqlite(db), query => query.forUpdate())
          .execute();
        const kept = new Set(
          present.filter(({ state }) => !states.includes(state)).map(({ reference }) => reference),
        );
        const expired = references.filter(reference => !kept.has(reference));
        const messages = await deleteMessageRows(transaction, expired);
        const gone = await transaction
          .deleteFrom('deliveries')
          .where(isAmong(db, expired))
          .returning('state')
          .execute();
        const undelivered = gone.filter(({ state }) => state === 'waiting' || state === 'sending').length;
        return { messages, undelivered };
      }),

    async deleteExpiredNotices(before: string): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('deliveries')
        .where(notices(before))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
