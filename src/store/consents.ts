import type { Transaction } from 'kysely';
import { endRequest, returnToErased } from './erasures.ts';
import { isSqlite } from './query-helpers.ts';
import type { Tables } from './tables.ts';

export async function confirm(db: Transaction<Tables>, tokenHash: string, now: string): Promise<boolean> {
  // The subscriber is locked before its tokens, so that two tokens of one subscriber cannot deadlock.
  await db
    .selectFrom('subscribers')
    .select('id')
    .where('id', 'in', query => query.selectFrom('tokens').select('subscriber').where('hash', '=', tokenHash))
    .$if(!isSqlite(db), query => query.forUpdate())
    .execute();
  const used = await db
    .deleteFrom('tokens')
    .where('hash', '=', tokenHash)
    .returning(['subscriber', 'expires_at'])
    .executeTakeFirst();
  if (!used || used.expires_at <= now) return false;
  const { numUpdatedRows } = await db
    .updateTable('subscribers')
    .set(({ ref }) => ({
      state: 'confirmed',
      form: ref('request_form'),
      wording: ref('request_wording'),
      asked_at: ref('requested_at'),
      confirmed_at: now,
      left_at: null,
      suppressed_at: null,
      suppressed_why: '',
    }))
    .where('id', '=', used.subscriber)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  await endRequest(db, used.subscriber, now);
  return numUpdatedRows > 0n;
}

export async function leave(db: Transaction<Tables>, id: string, now: string): Promise<boolean> {
  // A sign-up that waits would bring a letter later. Every transaction locks sign-ups, then subscribers, then tokens, then
  // deliveries, so that two cannot deadlock.
  await db.deleteFrom('sign_ups').where('subscriber', '=', id).execute();
  const withdrawn = await returnToErased(db).where('id', '=', id).executeTakeFirstOrThrow();
  const left = await db
    .updateTable('subscribers')
    // A pending subscriber who had left before keeps the earlier time.
    .set(({ fn, val }) => ({ state: 'unsubscribed', left_at: fn.coalesce('left_at', val(now)) }))
    .where('id', '=', id)
    .where('state', 'in', ['pending', 'confirmed'])
    .executeTakeFirstOrThrow();
  // So that lifting a suppression does not subscribe a person who has left meanwhile.
  const noted = await db
    .updateTable('subscribers')
    .set({ left_at: now })
    .where('id', '=', id)
    .where('state', '=', 'suppressed')
    .where('confirmed_at', 'is not', null)
    .where('left_at', 'is', null)
    .executeTakeFirstOrThrow();
  await endRequest(db, id, now);
  return withdrawn.numUpdatedRows + left.numUpdatedRows + noted.numUpdatedRows > 0n;
}
