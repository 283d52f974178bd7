import { sql, type Transaction } from 'kysely';
import { foldText } from '../../lib/fold-text.ts';
import { type Dialect, jsonRows } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';

const pageLength = 1000;

/** The text of the search moves into the row of its message, and is written with it. */
export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await sql`alter table messages add column search_text text not null default ''`.execute(db);
  for (let after = ''; ; ) {
    const { rows } = await sql<{ reference: string; text: string }>`
      select reference, reference || ${'\n'} || name || ${'\n'} || email || ${'\n'} || service || ${'\n'} || message ||
        coalesce((select string_agg(${'\n'} || text, '' order by created_at) from notes
          where notes.reference = messages.reference), '') as text
      from messages where reference > ${after} order by reference limit ${pageLength}`.execute(db);
    const texts = rows.map(({ reference, text }) => [reference, foldText(text).replaceAll('\0', ' ')]);
    await sql`update messages set search_text = value ->> 1 from ${jsonRows(db, texts)}
      where messages.reference = value ->> 0`.execute(db);
    const last = rows.at(-1);
    if (!last) break;
    after = last.reference;
  }
  if (dialect === 'sqlite') await sql`drop table search_index`.execute(db);
  await sql`drop table search_texts`.execute(db);
}
