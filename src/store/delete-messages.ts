import type { Transaction } from 'kysely';
import { isAmong } from './query-helpers.ts';
import { lockMessages } from './select-messages.ts';
import type { Tables } from './tables.ts';

/** With their attempts and notes; the caller deletes the deliveries. Returns how many messages there were. */
export async function deleteMessageRows(
  db: Transaction<Tables>,
  references: readonly string[],
): Promise<number> {
  const these = isAmong(db, references);
  await lockMessages(db, references);
  const { numDeletedRows } = await db.deleteFrom('messages').where(these).executeTakeFirstOrThrow();
  await db.deleteFrom('attempts').where(these).execute();
  await db.deleteFrom('notes').where(these).execute();
  return Number(numDeletedRows);
}
