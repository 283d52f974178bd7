import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** The round-robin treats an imported list as one network. */
export async function up(db: Transaction<Tables>): Promise<void> {
  await sql`update sign_ups set network = 'import' where form = 'import'`.execute(db);
  await sql`drop index sign_ups_turns`.execute(db);
  await sql`create index sign_ups_turns on sign_ups (network, asked_at, id)`.execute(db);
}
