import { sql, type Transaction } from 'kysely';
import { isAmong, jsonRows } from '../../core/database/query-helpers.ts';
import type { MessageRow, Tables } from '../../core/database/tables.ts';
import { foldText } from '../../lib/fold-text.ts';
import { messageFieldNames } from './message-fields.ts';

const fieldNames = ['reference', ...messageFieldNames] as const;

/** What is searched: the column `search_text`, written in the transaction that stores or changes a message or its notes. */
export function buildSearchText(
  fields: Pick<MessageRow, (typeof fieldNames)[number]>,
  notes: readonly { text: string }[] = [],
): string {
  const texts = [...fieldNames.map(name => fields[name]), ...notes.map(({ text }) => text)];
  return foldText(texts.join('\n')).replaceAll('\0', ' ');
}

/** To be called in the transaction that changes messages or notes, after it has locked the messages and changed them. */
export async function refreshSearchTexts(
  db: Transaction<Tables>,
  references: readonly string[],
): Promise<void> {
  const these = isAmong(db, references);
  const messages = await db.selectFrom('messages').select(fieldNames).where(these).execute();
  const found = await db.selectFrom('notes').selectAll().where(these).orderBy('created_at').execute();
  const notes = Map.groupBy(found, ({ reference }) => reference);
  const rows = messages.map(fields => [
    fields.reference,
    buildSearchText(fields, notes.get(fields.reference)),
  ]);
  await sql`update messages set search_text = value ->> 1 from ${jsonRows(db, rows)}
    where messages.reference = value ->> 0`.execute(db);
}
