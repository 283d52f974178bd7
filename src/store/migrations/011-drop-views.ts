import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** Page views are no longer counted: their sums go, and so does the time at which old ones were last removed. */
export async function up(db: Transaction<Tables>): Promise<void> {
  await db.schema.dropTable('views').execute();
  await sql`delete from chores where name like 'retention of views%'`.execute(db);
}
