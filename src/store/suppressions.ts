import { sql, type Transaction } from 'kysely';
import { endRequest } from './erasures.ts';
import { isSqlite } from './query-helpers.ts';
import type { SubscriberState, SuppressionReason, Tables } from './tables.ts';

export async function suppress(
  db: Transaction<Tables>,
  id: string,
  why: SuppressionReason,
  now: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into subscribers (id, state, suppressed_at, suppressed_why)
    values (${id}, 'suppressed', ${now}, ${why})
    on conflict (id) do update set state = excluded.state, suppressed_at = excluded.suppressed_at,
      suppressed_why = excluded.suppressed_why
    where subscribers.state <> 'suppressed' or subscribers.suppressed_why = 'erased'
      or excluded.suppressed_why = 'complaint' and subscribers.suppressed_why <> 'complaint'`.execute(db);
  await endRequest(db, id, now);
  return (numAffectedRows ?? 0n) > 0n;
}

export async function unsuppress(
  db: Transaction<Tables>,
  id: string,
  now: string,
): Promise<SubscriberState | 'forgotten' | undefined> {
  const row = await db
    .selectFrom('subscribers')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'suppressed')
    .$if(!isSqlite(db), query => query.forUpdate())
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.address === null) {
    await db.deleteFrom('subscribers').where('id', '=', id).execute();
    return 'forgotten';
  }
  const isWilling = row.confirmed_at !== null && row.left_at === null && row.suppressed_why !== 'complaint';
  const state = isWilling ? 'confirmed' : 'unsubscribed';
  await db
    .updateTable('subscribers')
    .set({
      state,
      left_at: isWilling ? null : (row.left_at ?? now),
      suppressed_at: null,
      suppressed_why: '',
    })
    .where('id', '=', id)
    .execute();
  return state;
}
