import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Purge = { pendingBefore: string; lettersBefore: string; now: string };

export function isOldConfirmation(before: string) {
  return sql<boolean>`kind = 'confirmation' and created_at < ${before}
    and (settled_at < ${before} or state = 'waiting')`;
}

const noRequest = { request_form: '', request_wording: '', requested_at: null };
const noConsent = { form: '', wording: '', asked_at: null, confirmed_at: null, left_at: null };
const noTrace = { ...noRequest, ...noConsent, mailed_at: null, address: null };

export async function erase(db: Transaction<Tables>, id: string, now: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_ups')
    .where('subscriber', '=', id)
    .executeTakeFirstOrThrow();
  const { numUpdatedRows } = await db
    .updateTable('subscribers')
    .set({
      ...noTrace,
      state: 'suppressed',
      // A suppression outlives erasure: an address that complained gets nothing when it is entered again.
      suppressed_at: sql`case when state = 'suppressed' then suppressed_at else ${now} end`,
      suppressed_why: sql`case when state = 'suppressed' then suppressed_why else 'erased' end`,
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('tokens').where('subscriber', '=', id).execute();
  // Delivered ones, too: which issues a person got is personal data, and a mail server's answer may name them.
  await db.deleteFrom('deliveries').where('subscriber', '=', id).execute();
  if (numUpdatedRows > 0n) return true;
  if (numDeletedRows === 0n) return false;
  await sql`insert into subscribers (id, state, suppressed_at, suppressed_why)
    values (${id}, 'suppressed', ${now}, 'erased') on conflict (id) do nothing`.execute(db);
  return true;
}

export async function purge(
  db: Transaction<Tables>,
  { pendingBefore, lettersBefore, now }: Purge,
): Promise<number> {
  // An imported list may take longer than a week.
  await db
    .deleteFrom('sign_ups')
    .where('asked_at', '<', pendingBefore)
    .where('form', '!=', 'import')
    .execute();
  // A letter that was sent late has a token that is valid for longer.
  const isOver = sql<boolean>`mailed_at < ${pendingBefore}
    and not exists (select 1 from tokens where tokens.subscriber = subscribers.id and expires_at > ${now})`;
  const ended = await endPending(db, isOver);
  // A subscriber that was suppressed while pending never gave consent either.
  await db
    .updateTable('subscribers')
    .set(noTrace)
    .where('state', '=', 'suppressed')
    .where('confirmed_at', 'is', null)
    .where('left_at', 'is', null)
    .where('mailed_at', '<', pendingBefore)
    .execute();
  // After the subscribers, in the same order as confirming and leaving, so that they cannot deadlock.
  await db.deleteFrom('tokens').where('expires_at', '<=', now).execute();
  await db.deleteFrom('deliveries').where(isOldConfirmation(pendingBefore)).execute();
  await sql`update deliveries set mailbox = null, network = null
    where mailbox is not null and kind = 'confirmation' and created_at < ${lettersBefore} and settled_at < ${lettersBefore}
      and not exists (select 1 from subscribers where id = deliveries.subscriber and state = 'pending')`.execute(
    db,
  );
  return ended;
}

/** Pending ones go back to what they were before: erased, unsubscribed, or unknown. How many. */
export async function endPending(db: Transaction<Tables>, isChosen: RawBuilder<boolean>): Promise<number> {
  const erased = await returnToErased(db).where(isChosen).executeTakeFirstOrThrow();
  const left = await db
    .updateTable('subscribers')
    .set({ ...noRequest, mailed_at: null, state: 'unsubscribed' })
    .where('state', '=', 'pending')
    .where('left_at', 'is not', null)
    .where(isChosen)
    .executeTakeFirstOrThrow();
  const gone = await db
    .deleteFrom('subscribers')
    .where('state', '=', 'pending')
    .where(isChosen)
    .executeTakeFirstOrThrow();
  return Number(erased.numUpdatedRows + left.numUpdatedRows + gone.numDeletedRows);
}

/** For those that signed up again after their erasure. The caller adds which. */
export function returnToErased(db: Transaction<Tables>) {
  return db
    .updateTable('subscribers')
    .set({ ...noTrace, state: 'suppressed' })
    .where('state', '=', 'pending')
    .where('suppressed_why', '=', 'erased');
}

export async function endRequest(db: Transaction<Tables>, subscriber: string, now: string): Promise<void> {
  await db.updateTable('subscribers').set(noRequest).where('id', '=', subscriber).execute();
  await db.deleteFrom('tokens').where('subscriber', '=', subscriber).execute();
  await db
    .updateTable('deliveries')
    .set({ state: 'dropped', last_failure: 'no longer wanted', settled_at: now })
    .where('subscriber', '=', subscriber)
    .where('kind', '=', 'confirmation')
    .where('state', '=', 'waiting')
    .execute();
}
