import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { isAmong, isSqlite } from '../../core/database/query-helpers.ts';
import type { Tables } from '../../core/database/tables.ts';
import type { SubscriberChange } from './subscriber-transaction.ts';

/** `network` is a prefix of a pseudonym: `ipv6` is that family, '' every network. */
export type PendingFilter = { since: string; until: string; network: string };

export type PendingCounts = { signUps: number; subscribers: number };
export type PendingNetwork = PendingCounts & { network: string; first: string; last: string };

export async function listPendingNetworks(
  db: Kysely<Tables>,
  filter: PendingFilter,
  limit: number,
): Promise<PendingNetwork[]> {
  const { rows } = await sql<Record<keyof PendingNetwork, string>>`
    select network, sum(sign_up) as "signUps", sum(subscriber) as subscribers, min(at) as first, max(at) as last
    from ${pending(filter)} group by network order by count(*) desc, max(at) desc, network limit ${limit}`.execute(
    db,
  );
  return rows.map(row => ({ ...row, ...readCounts(row) }));
}

export async function countPending(db: Kysely<Tables>, filter: PendingFilter): Promise<PendingCounts> {
  const { rows } = await sql<Record<keyof PendingCounts, string | null>>`
    select sum(sign_up) as "signUps", sum(subscriber) as subscribers from ${pending(filter)}`.execute(db);
  return readCounts(rows[0]);
}

function readCounts(row: Record<keyof PendingCounts, string | null> | undefined): PendingCounts {
  return { signUps: Number(row?.signUps ?? 0), subscribers: Number(row?.subscribers ?? 0) };
}

function pending(filter: PendingFilter): RawBuilder<unknown> {
  return sql`(select network, requested_at as at, 1 as sign_up, 0 as subscriber from sign_ups where ${signUpMatches(filter)}
    union all
    select ${subscriberNetwork} as network, requested_at as at, 0 as sign_up, 1 as subscriber from subscribers
    where ${subscriberMatches(filter)}) as pending`;
}

/** Imported addresses are the owner's doing, not visitors'. */
function signUpMatches(filter: PendingFilter): RawBuilder<boolean> {
  return sql`form <> 'import' and ${inRange(filter, sql.ref('requested_at'), sql.ref('network'))}`;
}

function subscriberMatches(filter: PendingFilter): RawBuilder<boolean> {
  return sql`state = 'pending' and request_form <> 'import'
    and ${inRange(filter, sql.ref('requested_at'), subscriberNetwork)}`;
}

const subscriberNetwork = sql<string>`coalesce((select deliveries.network from deliveries
  where deliveries.subscriber = subscribers.id and deliveries.kind = 'confirmation'
  order by deliveries.created_at desc limit 1), 'unknown')`;

function inRange(
  { since, until, network }: PendingFilter,
  at: RawBuilder<unknown>,
  of: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`${at} >= ${since} and ${at} < ${until} and substr(${of}, 1, ${sql.lit(network.length)}) = ${network}`;
}

export type PendingSelection = { ids: readonly string[] } | { mailedBefore: string; withoutTokenAt: string };

export type PendingTransaction = ReturnType<typeof createPendingTransaction>;

export function createPendingTransaction(db: Transaction<Tables>) {
  // Skips what another transaction changes at this moment, and locks in the same order, so that they cannot deadlock.
  const lock = sql.raw(isSqlite(db) ? '' : 'for update skip locked');
  return {
    async deleteVisitorSignUps(filter: PendingFilter, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`delete from sign_ups where id in
        (select id from sign_ups where ${signUpMatches(filter)} limit ${limit} ${lock})`.execute(db);
      return Number(numAffectedRows);
    },

    async lockPending(filter: PendingFilter, limit: number): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`select id from subscribers where ${subscriberMatches(filter)}
        order by id limit ${limit} ${lock}`.execute(db);
      return rows.map(({ id }) => id);
    },

    async deleteSignUpsBefore(before: string): Promise<void> {
      // An imported list may take longer than visitors' requests are kept.
      await db
        .deleteFrom('sign_ups')
        .where('requested_at', '<', before)
        .where('form', '!=', 'import')
        .execute();
    },

    async updatePending(
      which: PendingSelection,
      origin: 'erased' | 'unsubscribed',
      change: SubscriberChange,
    ): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('subscribers')
        .set(change)
        .where('state', '=', 'pending')
        .$if(origin === 'erased', query => query.where('suppression_reason', '=', 'erased'))
        .$if(origin === 'unsubscribed', query => query.where('unsubscribed_at', 'is not', null))
        .where(isSelected(db, which))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },

    async deletePending(which: PendingSelection): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('subscribers')
        .where('state', '=', 'pending')
        .where(isSelected(db, which))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    async updateNeverConfirmed(mailedBefore: string, change: SubscriberChange): Promise<void> {
      await db
        .updateTable('subscribers')
        .set(change)
        .where('state', '=', 'suppressed')
        .where('confirmed_at', 'is', null)
        .where('unsubscribed_at', 'is', null)
        .where('mailed_at', '<', mailedBefore)
        .execute();
    },

    async deleteTokensOfSubscribers(subscribers: readonly string[]): Promise<void> {
      await db
        .deleteFrom('tokens')
        .where(isAmong(db, subscribers, 'subscriber'))
        .execute();
    },

    async deleteExpiredTokens(now: string): Promise<void> {
      await db.deleteFrom('tokens').where('expires_at', '<=', now).execute();
    },

    async deleteWaitingConfirmations(subscribers: readonly string[]): Promise<void> {
      await db
        .deleteFrom('deliveries')
        .where(isAmong(db, subscribers, 'subscriber'))
        .where('kind', '=', 'confirmation')
        .where('state', '=', 'waiting')
        .execute();
    },

    async deleteOldConfirmations(before: string): Promise<void> {
      await db.deleteFrom('deliveries').where(isOldConfirmation(before)).execute();
    },

    /** Keeps those of subscribers who are still pending. */
    async clearPseudonyms(before: string): Promise<void> {
      await sql`update deliveries set mailbox = null, network = null
        where mailbox is not null and kind = 'confirmation' and created_at < ${before} and settled_at < ${before}
          and not exists (select 1 from subscribers where id = deliveries.subscriber and state = 'pending')`.execute(
        db,
      );
    },
  };
}

function isSelected(db: Kysely<Tables>, which: PendingSelection): RawBuilder<boolean> {
  if ('ids' in which) return isAmong(db, which.ids, 'id');
  return sql`mailed_at < ${which.mailedBefore} and not exists (select 1 from tokens
    where tokens.subscriber = subscribers.id and expires_at > ${which.withoutTokenAt})`;
}

export async function listOldConfirmations(db: Kysely<Tables>, before: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('reference')
    .where(isOldConfirmation(before))
    .execute();
  return rows.map(({ reference }) => reference);
}

function isOldConfirmation(before: string): RawBuilder<boolean> {
  return sql`kind = 'confirmation' and created_at < ${before} and (settled_at < ${before} or state = 'waiting')`;
}
