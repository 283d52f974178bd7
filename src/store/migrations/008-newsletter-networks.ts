import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Transaction<Tables>): Promise<void> {
  await sql`alter table sign_ups add column network text not null default 'unknown'`.execute(db);
  await sql`alter table deliveries add column mailbox text`.execute(db);
  await sql`alter table deliveries add column network text`.execute(db);
  await sql`create index deliveries_mailbox on deliveries (mailbox) where mailbox is not null`.execute(db);
  // The round-robin over visitors' networks does not read a long imported list.
  await sql`create index sign_ups_turns on sign_ups (network, asked_at, id) where form <> 'import'`.execute(
    db,
  );
}
