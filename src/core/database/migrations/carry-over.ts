import { sql, type Transaction } from 'kysely';
import { foldText } from '../../../lib/fold-text.ts';
import { isSqlite, jsonRows, listColumns } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';
import { createdTables, createTable } from './create-tables.ts';

/** The last migration of 19 November 2026, before each table had one of its own. */
export const carriedMigration = '019-search-texts';

/** Moves the rows of that day's tables into new ones, by the names of their columns. */
export async function carryOver(db: Transaction<Tables>): Promise<void> {
  const tables = sql.join(createdTables.map(table => sql.table(table)));
  // What an old process, which should be stopped, commits after a table is read would be dropped with it.
  if (!isSqlite(db)) await sql`lock table ${tables} in access exclusive mode`.execute(db);
  if (isSqlite(db)) await sql`drop table if exists search_index`.execute(db);
  await sql`drop table if exists search_texts`.execute(db);
  for (const table of createdTables) {
    const kept = sql.table(`${table}_before`);
    await sql`create table ${kept} as select * from ${sql.table(table)}`.execute(db);
    await sql`drop table ${sql.table(table)}`.execute(db);
    await createTable(db, table);
    const columns = await listColumns(db);
    const before = new Set(columns.get(`${table}_before`)?.map(({ column }) => column));
    const names = columns.get(table)?.map(({ column }) => column) ?? [];
    const values = names.map(name => (before.has(name) ? sql.ref(name) : sql.lit('')));
    await sql`insert into ${sql.table(table)} (${sql.join(names.map(name => sql.ref(name)))})
      select ${sql.join(values)} from ${kept}`.execute(db);
    await sql`drop table ${kept}`.execute(db);
  }
  await fillSearchTexts(db);
}

const pageLength = 1000;

async function fillSearchTexts(db: Transaction<Tables>): Promise<void> {
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
    if (!last) return;
    after = last.reference;
  }
}
