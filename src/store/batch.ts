import {
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  SqliteAdapter,
  sql,
  type Transaction,
} from 'kysely';
import type { Dialect } from './open.ts';
import type { Tables } from './tables.ts';

/** Queries that commit together, none of which needs the answer of another. */
export type Batch = (queries: CompiledQuery[]) => Promise<QueryResult<unknown>[]>;

export function createBatch(db: Kysely<Tables>): Batch {
  return queries =>
    db.transaction().execute(async transaction => {
      const results: QueryResult<unknown>[] = [];
      for (const query of queries) results.push(await transaction.executeQuery(query));
      return results;
    });
}

/** A JSON list of rows as a table; each row is its `value`. */
export function jsonRows(db: Kysely<Tables>, json: string): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof SqliteAdapter
    ? sql`json_each(${json})`
    : sql`json_array_elements(${json}::json) as rows (value)`;
}

/** Whether a row's reference is one of these: one parameter, however many they are. */
export function isAmong(db: Kysely<Tables>, references: readonly string[]): RawBuilder<boolean> {
  const json = JSON.stringify(references.map(reference => [reference]));
  return sql<boolean>`reference in (select value ->> 0 from ${jsonRows(db, json)})`;
}

/** In one order: two who remove some of the same messages do not wait for each other in a ring. SQLite's writers take turns. */
export async function holdMessages(
  db: Transaction<Tables>,
  dialect: Dialect,
  references: readonly string[],
): Promise<void> {
  if (dialect === 'sqlite') return;
  const these = isAmong(db, references);
  await db.selectFrom('messages').select('reference').where(these).orderBy('reference').forUpdate().execute();
}
