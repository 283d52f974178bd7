import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Alone } from './alone.ts';
import { emptyLog } from './empty-log.ts';
import type { Dialect } from './open.ts';
import type { Tables } from './tables.ts';

/** What is forgotten: when somebody asks for it, and by itself. */
export type Erasures = {
  /**
   * Leaves the id and why nothing is sent: erased, or what it was suppressed for before. Letters, the delivered ones
   * too, tokens and waiting requests of the address go. False: not known.
   */
  erase(id: string, now: string): Promise<boolean>;
  /**
   * Rows that have been pending since before this, and hold no token that is still good, go back to what they were:
   * nothing, unsubscribed, or erased. Expired tokens go, too, and requests and confirmation letters of that age; pseudonyms
   * of letters that no limit needs any more go from `lettersBefore` on, unless they are still to be confirmed. How many
   * were pending.
   */
  purge(purge: Purge): Promise<number>;
  /** The confirmation letters that a purge forgets. */
  listOldConfirmations(pendingBefore: string): Promise<string[]>;
};

type Purge = { pendingBefore: string; lettersBefore: string; now: string };

type ErasuresDeps = { db: Kysely<Tables>; dialect: Dialect; alone: Alone };

export function createErasures({ db, dialect, alone }: ErasuresDeps): Erasures {
  /** What keeps the log from being emptied now, the next hour's tidying may find gone. */
  async function andFromLog<Result>(erased: Promise<Result>): Promise<Result> {
    const result = await erased;
    if (dialect === 'sqlite') await emptyLog(db);
    return result;
  }
  return {
    erase: (id, now) => andFromLog(alone(transaction => erase(transaction, id, now))),
    purge: purged => andFromLog(alone(transaction => purge(transaction, purged))),
    async listOldConfirmations(pendingBefore) {
      const rows = await db
        .selectFrom('deliveries')
        .select('reference')
        .where(isOldConfirmation(pendingBefore))
        .execute();
      return rows.map(({ reference }) => reference);
    },
  };
}

function isOldConfirmation(before: string) {
  return sql<boolean>`kind = 'confirmation' and created_at < ${before}
    and (settled_at < ${before} or state = 'waiting')`;
}

const noRequest = { request_form: '', request_wording: '', requested_at: null };
const noConsent = { form: '', wording: '', asked_at: null, confirmed_at: null, left_at: null };
const noTrace = { ...noRequest, ...noConsent, mailed_at: null, address: null };

async function erase(db: Transaction<Tables>, id: string, now: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_ups')
    .where('subscriber', '=', id)
    .executeTakeFirstOrThrow();
  const { numUpdatedRows } = await db
    .updateTable('subscribers')
    .set(({ eb }) => ({
      ...noTrace,
      state: 'suppressed',
      // A suppression outlives erasure: somebody who complained is not written to when their address is typed again.
      suppressed_at: eb.case().when('state', '=', 'suppressed').then(eb.ref('suppressed_at')).else(now).end(),
      suppressed_why: eb
        .case()
        .when('state', '=', 'suppressed')
        .then(eb.ref('suppressed_why'))
        .else('erased' as const)
        .end(),
    }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('tokens').where('subscriber', '=', id).execute();
  // Also those that arrived: which issues somebody got is about them, and a mail server's answer may name them.
  await db.deleteFrom('deliveries').where('subscriber', '=', id).execute();
  if (numUpdatedRows > 0n) return true;
  if (numDeletedRows === 0n) return false;
  await sql`insert into subscribers (id, state, suppressed_at, suppressed_why)
    values (${id}, 'suppressed', ${now}, 'erased') on conflict (id) do nothing`.execute(db);
  return true;
}

async function purge(db: Transaction<Tables>, { pendingBefore, lettersBefore, now }: Purge): Promise<number> {
  // A list that the owner brought in is longer than a week's letters may be: it waits for its turn.
  await db
    .deleteFrom('sign_ups')
    .where('asked_at', '<', pendingBefore)
    .where('form', '!=', 'import')
    .execute();
  // A letter that a mail server took late promises its days from then on.
  const isOver = sql<boolean>`mailed_at < ${pendingBefore}
    and not exists (select 1 from tokens where tokens.subscriber = subscribers.id and expires_at > ${now})`;
  const ended = await endPending(db, isOver);
  // One that was suppressed while it was pending never agreed to be kept, either: its id is enough.
  await db
    .updateTable('subscribers')
    .set(noTrace)
    .where('state', '=', 'suppressed')
    .where('confirmed_at', 'is', null)
    .where('left_at', 'is', null)
    .where('mailed_at', '<', pendingBefore)
    .execute();
  // After their subscribers, in the order in which confirming and leaving take them: nobody waits in a ring.
  await db.deleteFrom('tokens').where('expires_at', '<=', now).execute();
  await db.deleteFrom('deliveries').where(isOldConfirmation(pendingBefore)).execute();
  await sql`update deliveries set mailbox = null, network = null
    where mailbox is not null and kind = 'confirmation' and created_at < ${lettersBefore} and settled_at < ${lettersBefore}
      and not exists (select 1 from subscribers where id = deliveries.subscriber and state = 'pending')`.execute(
    db,
  );
  return ended;
}

/** Those that are pending, and chosen, go back to what they were before: erased, unsubscribed, or nothing. How many. */
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

/** Those that asked anew after their erasure, and did not confirm: whoever chooses says which. */
export function returnToErased(db: Transaction<Tables>) {
  return db
    .updateTable('subscribers')
    .set({ ...noTrace, state: 'suppressed' })
    .where('state', '=', 'pending')
    .where('suppressed_why', '=', 'erased');
}

/** What was on its way to be confirmed is so no longer: its tokens go, and a letter that has not left is not sent. */
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
