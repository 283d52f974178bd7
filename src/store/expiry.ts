import { type Kysely, sql } from 'kysely';
import { deleteMessageRows } from './delete-messages.ts';
import { isAmong, isSqlite } from './query-helpers.ts';
import { mergeSearchIndex } from './search-texts.ts';
import type { MessageState, Tables } from './tables.ts';
import { truncateWal } from './truncate-wal.ts';

export function createExpiry(db: Kysely<Tables>) {
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

    deleteExpiredMessages: (
      references: readonly string[],
    ): Promise<{ messages: number; undelivered: number }> =>
      db.transaction().execute(async transaction => {
        const messages = await deleteMessageRows(transaction, references);
        const gone = await transaction
          .deleteFrom('deliveries')
          .where(isAmong(db, references))
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

    /** SQLite's index and WAL hold deleted rows until then. */
    async removeRemains(): Promise<void> {
      if (isSqlite(db)) await mergeSearchIndex(db);
      await truncateWal(db);
    },
  };
}
