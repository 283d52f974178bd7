import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** Page views are no longer counted. Only databases of version 0.1.0 have their table. */
export async function up(db: Transaction<Tables>): Promise<void> {
  await sql`drop table if exists views`.execute(db);
  await sql`delete from chores where name like 'retention of views%'`.execute(db);
}
