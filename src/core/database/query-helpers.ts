import {
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  type SelectQueryBuilder,
  SqliteAdapter,
  sql,
} from 'kysely';
import type { Tables } from './tables.ts';

export type Batch = (queries: CompiledQuery[]) => Promise<QueryResult<unknown>[]>;

export function createBatch(db: Kysely<Tables>): Batch {
  return queries =>
    db.transaction().execute(async transaction => {
      const results: QueryResult<unknown>[] = [];
      for (const query of queries) results.push(await transaction.executeQuery(query));
      return results;
    });
}

export type Dialect = 'sqlite' | 'postgres';

export function isSqlite(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

/** Rows as a table whose column `value` is a JSON list: one parameter and one prepared statement, however many they are. */
export function jsonRows(db: Kysely<Tables>, rows: readonly (readonly unknown[])[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  return isSqlite(db) ? sql`json_each(${json})` : sql`json_array_elements(${json}::json) as rows (value)`;
}

export function isAmong(
  db: Kysely<Tables>,
  values: readonly string[],
  column = 'reference',
): RawBuilder<boolean> {
  const rows = values.map(value => [value]);
  return sql`${sql.ref(column)} in (select value ->> 0 from ${jsonRows(db, rows)})`;
}

export function insertRows<Row>(
  db: Kysely<Tables>,
  table: keyof Tables,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): RawBuilder<unknown> {
  const names = columns.map(name => sql.ref(name));
  const values = columns.map((_, index) => sql`value ->> ${sql.lit(index)}`);
  const lists = rows.map(row => columns.map(name => row[name]));
  return sql`insert into ${sql.table(table)} (${sql.join(names)}) select ${sql.join(values)}
    from ${jsonRows(db, lists)} where true`;
}

/** Reads rows of a table by their references, a thousand at a time. */
export function listByReference<Row>(
  db: Kysely<Tables>,
  table: keyof Tables,
  order: string,
  columns?: readonly (keyof Row & string)[],
) {
  const selected = columns ? sql.join(columns.map(name => sql.ref(name))) : sql.raw('*');
  return (references: readonly string[]) =>
    inBatches(references, async part => {
      const { rows } = await sql<Row>`select ${selected} from ${sql.table(table)}
        where ${isAmong(db, part)} order by ${sql.raw(order)}`.execute(db);
      return rows;
    });
}

export async function* inPages<Row extends { reference: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let page = await read(''); page.length > 0; page = await read(page.at(-1)?.reference as string)) {
    yield page;
  }
}

export async function inBatches<Row>(
  references: readonly string[],
  read: (part: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of splitBatches(references, 1000)) for (const row of await read(part)) rows.push(row);
  return rows;
}

export function* splitBatches<Item>(items: readonly Item[], length: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += length) yield items.slice(at, at + length);
}

export async function countRows(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, 'messages' | 'deliveries' | 'subscribers' | 'sign_ups', object>,
  max?: number,
): Promise<number> {
  const counted = query
    .select(sql.lit(1).as('one'))
    .$if(max !== undefined, limited => limited.limit(max as number));
  const row = await db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export type Column = { name: string; column: string; type: string };

/** Of each table. */
export async function listColumns(db: Kysely<Tables>): Promise<Map<string, Column[]>> {
  const { rows } = isSqlite(db)
    ? await sql<Column>`select t.name, c.name as "column", c.type from sqlite_schema t, pragma_table_info(t.name) c
        where t.type = 'table' and t.name not like 'sqlite_%'`.execute(db)
    : await sql<Column>`select table_name as name, column_name as "column", data_type as type
        from information_schema.columns where table_schema = current_schema()`.execute(db);
  return Map.groupBy(rows, ({ name }) => name);
}
