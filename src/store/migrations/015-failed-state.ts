import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';
import { renameDeliveryState } from './014-usual-names.ts';

const states = ['waiting', 'sending', 'delivered', 'failed', 'held', 'unconfirmed', 'dropped'];

export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await renameDeliveryState(db, dialect, { from: 'dead', to: 'failed', states });
  await sql`update scheduled_runs set name = replace(name, 'dead:', 'failed:') where name like 'dead:%'`.execute(
    db,
  );
}
