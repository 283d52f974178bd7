import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';

/** The folded text of each message with its notes, which is filled after messages are stored. Trigrams find parts of words. */
export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') {
    await sql`create table search_texts (reference text primary key, text text not null)`.execute(db);
    // The planner keeps no samples of personal data, and always takes the index, which openStore creates.
    await sql`alter table search_texts alter column text set statistics 0`.execute(db);
    return;
  }
  await sql`create table search_texts (
    id integer primary key,
    reference text not null unique,
    text text not null)`.execute(db);
  await sql`create virtual table search_index using fts5 (text, content = 'search_texts', content_rowid = 'id',
    tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0)`.execute(db);
}
