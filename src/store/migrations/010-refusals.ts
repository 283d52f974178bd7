import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** A receiver that refuses one delivery after the other is failing, in every process and after a restart. */
export async function up(db: Transaction<Tables>): Promise<void> {
  const columns = [
    sql`refusals integer not null default 0`,
    sql`failing_at text`,
    sql`failing_why text not null default ''`,
    sql`probed_at text`,
  ];
  for (const column of columns) await sql`alter table receivers add column ${column}`.execute(db);
  // The index finds the retries of a failing receiver without reading its untried deliveries. SQLite prefers the index
  // to deliveries_due only if both have the same columns.
  await sql`create index deliveries_tried on deliveries (receiver, state, due_at)
    where state = 'waiting' and attempts > 0`.execute(db);
}
