import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** SQLite cannot change a check constraint: the rows move into a new table, and the indexes are created again. */
export async function rebuildTable(
  db: Transaction<Tables>,
  table: 'deliveries' | 'messages',
  change: (definition: string) => string,
  state = sql`state`,
): Promise<void> {
  const { rows } = await sql<{ type: string; sql: string }>`select type, sql from sqlite_schema
    where tbl_name = ${table} and sql is not null`.execute(db);
  const { rows: columns } = await sql<{ name: string }>`
    select name from pragma_table_info(${table})`.execute(db);
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  const values = sql.join(columns.map(({ name }) => (name === 'state' ? state : sql.ref(name))));
  const before = sql.table(`${table}_before`);
  await sql`alter table ${sql.table(table)} rename to ${before}`.execute(db);
  for (const { sql: definition } of rows.filter(({ type }) => type === 'table')) {
    await sql.raw(change(definition)).execute(db);
  }
  await sql`insert into ${sql.table(table)} (${names}) select ${values} from ${before} order by rowid`.execute(
    db,
  );
  await sql`drop table ${before}`.execute(db);
  for (const { sql: definition } of rows.filter(({ type }) => type === 'index')) {
    await sql.raw(definition).execute(db);
  }
}
