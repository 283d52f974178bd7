import type { Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** Keys were stored as they came, and the secret to hash them with is not known here: messages stored before have none. */
export async function up(db: Transaction<Tables>): Promise<void> {
  await db
    .updateTable('messages')
    .set({ idempotency_key: null })
    .where('idempotency_key', 'is not', null)
    .execute();
}
