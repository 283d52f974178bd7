import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Transaction<Tables>): Promise<void> {
  await sql`update messages set quarantine_reason = replace(quarantine_reason, 'trap', 'honeypot')
    where quarantine_reason like '%trap%'`.execute(db);
}
