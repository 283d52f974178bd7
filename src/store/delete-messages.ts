import type { Transaction } from 'kysely';
import { isAmong, isSqlite } from './query-helpers.ts';
import { removeSearchTexts } from './search-texts.ts';
import type { Tables } from './tables.ts';

/** With their attempts, notes and search texts; the caller deletes the deliveries. Returns how many messages there were. */
export async function deleteMessageRows(
  db: Transaction<Tables>,
  references: readonly string[],
): Promise<number> {
  const these = isAmong(db, references);
  if (!isSqlite(db)) {
    // Every caller locks in this order, so that two transactions cannot deadlock.
    await db
      .selectFrom('messages')
      .select('reference')
      .where(these)
      .orderBy('reference')
      .forUpdate()
      .execute();
  }
  const { numDeletedRows } = await db.deleteFrom('messages').where(these).executeTakeFirstOrThrow();
  await db.deleteFrom('attempts').where(these).execute();
  await db.deleteFrom('notes').where(these).execute();
  await removeSearchTexts(db, references);
  return Number(numDeletedRows);
}
