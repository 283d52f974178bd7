import type { Kysely } from 'kysely';
import type { MessageRow, Tables } from './tables.ts';

export type Messages = {
  /** Resolves once the row is committed. */
  add(row: MessageRow): Promise<void>;
  get(reference: string): Promise<MessageRow | undefined>;
};

export function createMessages(db: Kysely<Tables>): Messages {
  return {
    async add(row) {
      await db.insertInto('messages').values(row).execute();
    },
    get(reference) {
      return db.selectFrom('messages').selectAll().where('reference', '=', reference).executeTakeFirst();
    },
  };
}
