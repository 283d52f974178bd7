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
  // However much waits untried for a failing receiver, what is tried again is found without reading past it. SQLite
  // prefers it to deliveries_due only with the same columns.
  await sql`create index deliveries_tried on deliveries (receiver, state, due_at)
    where state = 'waiting' and attempts > 0`.execute(db);
}
