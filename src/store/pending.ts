import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Alone } from './alone.ts';
import { jsonRows } from './batch.ts';
import { emptyLog } from './empty-log.ts';
import { endPending } from './erasures.ts';
import type { Dialect } from './open.ts';
import type { Tables } from './tables.ts';

/** From `since` on, before `until`. `network` is what a pseudonym begins with: `ipv6` is that family, '' every network. */
export type PendingFilter = { since: string; until: string; network: string };

export type PendingCounts = { signUps: number; subscribers: number };
export type PendingNetwork = PendingCounts & { network: string; first: string; last: string };

/** Visitors' requests that are not confirmed: those that wait to be looked at, and subscribers that are pending. */
export type Pending = {
  /** Those with the most first, and of the same number the latest. */
  listPendingNetworks(filter: PendingFilter, limit: number): Promise<PendingNetwork[]>;
  countPending(filter: PendingFilter): Promise<PendingCounts>;
  /**
   * Drops some of them, with tokens and letters that wait; a subscriber who was unsubscribed or erased before is so again.
   * How many: none once all are gone, but for those that another process changes at this moment.
   */
  dropPending(filter: PendingFilter): Promise<PendingCounts>;
};

/** Rows in one transaction, for which visitors wait. */
const most = 500;

type PendingDeps = { db: Kysely<Tables>; dialect: Dialect; alone: Alone };

export function createPending({ db, dialect, alone }: PendingDeps): Pending {
  return {
    async listPendingNetworks(filter, limit) {
      const { rows } = await sql<Record<keyof PendingNetwork, string>>`
        select network, sum(sign_up) as "signUps", sum(subscriber) as subscribers, min(at) as first, max(at) as last
        from ${pending(filter)} group by network order by count(*) desc, max(at) desc, network limit ${limit}`.execute(
        db,
      );
      // PostgreSQL returns sums as text.
      return rows.map(row => ({ ...row, ...countsOf(row) }));
    },
    async countPending(filter) {
      const { rows } = await sql<Record<keyof PendingCounts, string | null>>`
        select sum(sign_up) as "signUps", sum(subscriber) as subscribers from ${pending(filter)}`.execute(db);
      return countsOf(rows[0]);
    },
    async dropPending(filter) {
      const dropped = await alone(transaction => drop(transaction, dialect, filter));
      if (dialect === 'sqlite') await emptyLog(db);
      return dropped;
    },
  };
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

/** A list that the owner brought in is no visitors' doing. */
function isSignUp(filter: PendingFilter): RawBuilder<boolean> {
  return sql`form <> 'import' and ${fits(filter, sql.ref('asked_at'), sql.ref('network'))}`;
}

function isSubscriber(filter: PendingFilter): RawBuilder<boolean> {
  return sql`state = 'pending' and request_form <> 'import'
    and ${fits(filter, sql.ref('requested_at'), networkOfSubscriber)}`;
}

/** Of the last request that brought a letter. */
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

async function drop(
  db: Transaction<Tables>,
  dialect: Dialect,
  filter: PendingFilter,
): Promise<PendingCounts> {
  // What is confirmed, left or looked at in this moment is left to that. First requests, then subscribers, tokens and
  // letters, as everywhere, so that two transactions cannot deadlock.
  const lock = sql.raw(dialect === 'postgres' ? 'for update skip locked' : '');
  const { numAffectedRows = 0n } = await sql`delete from sign_ups where id in
    (select id from sign_ups where ${isSignUp(filter)} limit ${most} ${lock})`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from subscribers where ${isSubscriber(filter)}
    order by id limit ${most} ${lock}`.execute(db);
  const json = JSON.stringify(rows.map(({ id }) => [id]));
  const isOneOf = (column: string) =>
    sql<boolean>`${sql.ref(column)} in (select value ->> 0 from ${jsonRows(db, json)})`;
  const subscribers = await endPending(db, isOneOf('id'));
  await db.deleteFrom('tokens').where(isOneOf('subscriber')).execute();
  // A letter that has left stays for its day, so that its mailbox gets no second one.
  await db
    .deleteFrom('deliveries')
    .where(isOneOf('subscriber'))
    .where('kind', '=', 'confirmation')
    .where('state', '=', 'waiting')
    .execute();
  return { signUps: Number(numAffectedRows), subscribers };
}
