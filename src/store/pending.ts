import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { endPending } from './erasures.ts';
import { isAmong, isSqlite } from './query-helpers.ts';
import type { Tables } from './tables.ts';

/** From `since` on, before `until`. `network` is a prefix of a pseudonym: `ipv6` is that family, '' every network. */
export type PendingFilter = { since: string; until: string; network: string };

export type PendingCounts = { signUps: number; subscribers: number };
export type PendingNetwork = PendingCounts & { network: string; first: string; last: string };

/** Rows in one transaction: visitors wait for it. */
const most = 500;

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
  // PostgreSQL returns sums as text.
  return rows.map(row => ({ ...row, ...countsOf(row) }));
}

export async function countPending(db: Kysely<Tables>, filter: PendingFilter): Promise<PendingCounts> {
  const { rows } = await sql<Record<keyof PendingCounts, string | null>>`
    select sum(sign_up) as "signUps", sum(subscriber) as subscribers from ${pending(filter)}`.execute(db);
  return countsOf(rows[0]);
}

function countsOf(row: Record<keyof PendingCounts, string | null> | undefined): PendingCounts {
  return { signUps: Number(row?.signUps ?? 0), subscribers: Number(row?.subscribers ?? 0) };
}

function pending(filter: PendingFilter): RawBuilder<unknown> {
  return sql`(select network, asked_at as at, 1 as sign_up, 0 as subscriber from sign_ups where ${isSignUp(filter)}
    union all
    select ${networkOfSubscriber} as network, requested_at as at, 0 as sign_up, 1 as subscriber from subscribers
    where ${isSubscriber(filter)}) as pending`;
}

/** Imported addresses are the owner's doing, not visitors'. */
function isSignUp(filter: PendingFilter): RawBuilder<boolean> {
  return sql`form <> 'import' and ${fits(filter, sql.ref('asked_at'), sql.ref('network'))}`;
}

function isSubscriber(filter: PendingFilter): RawBuilder<boolean> {
  return sql`state = 'pending' and request_form <> 'import'
    and ${fits(filter, sql.ref('requested_at'), networkOfSubscriber)}`;
}

const networkOfSubscriber = sql<string>`coalesce((select deliveries.network from deliveries
  where deliveries.subscriber = subscribers.id and deliveries.kind = 'confirmation'
  order by deliveries.created_at desc limit 1), 'unknown')`;

function fits(
  { since, until, network }: PendingFilter,
  at: RawBuilder<unknown>,
  of: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`${at} >= ${since} and ${at} < ${until} and substr(${of}, 1, ${sql.lit(network.length)}) = ${network}`;
}

export async function dropPending(db: Transaction<Tables>, filter: PendingFilter): Promise<PendingCounts> {
  // Skips what another transaction changes at this moment, and locks in the same order, so that they cannot deadlock.
  const lock = sql.raw(isSqlite(db) ? '' : 'for update skip locked');
  const { numAffectedRows = 0n } = await sql`delete from sign_ups where id in
    (select id from sign_ups where ${isSignUp(filter)} limit ${most} ${lock})`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from subscribers where ${isSubscriber(filter)}
    order by id limit ${most} ${lock}`.execute(db);
  const ids = rows.map(({ id }) => id);
  const isOneOf = (column: string) => isAmong(db, ids, column);
  const subscribers = await endPending(db, isOneOf('id'));
  await db.deleteFrom('tokens').where(isOneOf('subscriber')).execute();
  // A letter that was sent stays, so that its mailbox gets no second one within a day.
  await db
    .deleteFrom('deliveries')
    .where(isOneOf('subscriber'))
    .where('kind', '=', 'confirmation')
    .where('state', '=', 'waiting')
    .execute();
  return { signUps: Number(numAffectedRows), subscribers };
}
