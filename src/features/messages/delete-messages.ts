import type { Transaction } from 'kysely';
import { isAmong } from '../../core/database/query-helpers.ts';
import type { Tables } from '../../core/database/tables.ts';
import { lockMessages } from './select-messages.ts';

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
