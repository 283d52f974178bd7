import { type Kysely, sql } from 'kysely';
import { holdMessages, isAmong } from './batch.ts';
import { emptyLog } from './empty-log.ts';
import type { Dialect } from './open.ts';
import type { MessageState, Tables } from './tables.ts';

/** What is kept for a time only. */
export type Expiry = {
  /** Messages in these states that arrived before a time, oldest first. */
  listExpired(states: readonly MessageState[], before: string, limit: number): Promise<string[]>;
  /** Lists of what was in quarantine, which hold what strangers wrote. */
  listDigests(before: string, limit: number): Promise<string[]>;
  /** With their deliveries and attempts. `undelivered`: how many of the deliveries had not reached anybody yet. */
  removeMessages(references: readonly string[]): Promise<{ messages: number; undelivered: number }>;
  /** Words of the site to its owner that were told, or given up. */
  removeNotices(before: string): Promise<number>;
  /** What SQLite's log still holds of them goes as well, if nobody reads at this moment. */
  settleLog(): Promise<void>;
};

export function createExpiry(db: Kysely<Tables>, dialect: Dialect): Expiry {
  const notices = (before: string) =>
    sql<boolean>`kind = 'notice' and created_at < ${before} and state in ('delivered', 'dead', 'dropped')`;
  return {
    async listExpired(states, before, limit) {
      const found: { reference: string; received_at: string }[] = [];
      // One question for each: the index answers it from where the oldest are.
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

    async listDigests(before, limit) {
      const rows = await db
        .selectFrom('deliveries')
        .select('reference')
        .where(notices(before))
        .where('payload', 'like', '{"digest"%')
        .limit(limit)
        .execute();
      return rows.map(({ reference }) => reference);
    },

    removeMessages: references =>
      db.transaction().execute(async transaction => {
        await holdMessages(transaction, dialect, references);
        const these = isAmong(db, references);
        const { numDeletedRows } = await transaction
          .deleteFrom('messages')
          .where(these)
          .executeTakeFirstOrThrow();
        await transaction.deleteFrom('attempts').where(these).execute();
        const gone = await transaction.deleteFrom('deliveries').where(these).returning('state').execute();
        const undelivered = gone.filter(({ state }) => state === 'waiting' || state === 'sending').length;
        return { messages: Number(numDeletedRows), undelivered };
      }),

    async removeNotices(before) {
      const { numDeletedRows } = await db
        .deleteFrom('deliveries')
        .where(notices(before))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    async settleLog() {
      if (dialect === 'sqlite') await emptyLog(db);
    },
  };
}
