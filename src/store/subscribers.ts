import { type Kysely, sql, type Transaction } from 'kysely';
import { confirm, leave } from './consents.ts';
import { erase, isOldConfirmation, type Purge, purge } from './erasures.ts';
import { isAmong, withAdvisoryLock } from './query-helpers.ts';
import { suppress, unsuppress } from './suppressions.ts';
import type { SubscriberRow, SubscriberState, SuppressionReason, Tables, TokenRow } from './tables.ts';
import { emptyLog } from './truncate-wal.ts';

export type Subscribers = {
  get(id: string): Promise<SubscriberRow | undefined>;
  /** By id, `after` the last of the previous page. */
  list(filter: { state?: SubscriberState; after?: string }, limit: number): Promise<SubscriberRow[]>;
  count(state?: SubscriberState): Promise<number>;
  /** Of those that are known. A sign-up that waits counts as pending. */
  findStates(ids: readonly string[]): Promise<Map<string, SubscriberState>>;
  addToken(token: TokenRow): Promise<void>;
  /** Uses the token up. False when it is unknown, used or expired. */
  confirm(tokenHash: string, now: string): Promise<boolean>;
  /** Withdraws a pending request, too. False when there was nothing to leave. */
  leave(id: string, now: string): Promise<boolean>;
  /** An unknown address gets a row without it. A complaint replaces any reason, and any reason an erasure. False: no change. */
  suppress(id: string, why: SuppressionReason, now: string): Promise<boolean>;
  /** To confirmed only if consent stands and there was no complaint. A row without an address is deleted. */
  unsuppress(id: string, now: string): Promise<SubscriberState | 'forgotten' | undefined>;
  /** Leaves only the id and the suppression; deliveries, tokens and sign-ups are deleted. False: not known. */
  erase(id: string, now: string): Promise<boolean>;
  /** Ends requests since before `pendingBefore` that hold no valid token, and deletes what belongs to them. How many. */
  purge(purge: Purge): Promise<number>;
  listOldConfirmations(pendingBefore: string): Promise<string[]>;
};

export function createSubscribers(db: Kysely<Tables>): Subscribers {
  async function erasing<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    const result = await withAdvisoryLock(db, work);
    // Where a reader keeps the log from being emptied, the purge of the next hour tries again.
    await emptyLog(db);
    return result;
  }

  return {
    get: id => db.selectFrom('subscribers').selectAll().where('id', '=', id).executeTakeFirst(),

    list: ({ state, after }, limit) =>
      db
        .selectFrom('subscribers')
        .selectAll()
        .$if(state !== undefined, query => query.where('state', '=', state as SubscriberState))
        .$if(after !== undefined, query => query.where('id', '>', after as string))
        .orderBy('id')
        .limit(limit)
        .execute(),

    async count(state) {
      const row = await db
        .selectFrom('subscribers')
        .select(({ fn }) => fn.countAll().as('count'))
        .$if(state !== undefined, query => query.where('state', '=', state as SubscriberState))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async findStates(ids) {
      const { rows } = await sql<Pick<SubscriberRow, 'id' | 'state'>>`
        select id, state from subscribers where ${isAmong(db, ids, 'id')}
        union all select subscriber, 'pending' from sign_ups
        where ${isAmong(db, ids, 'subscriber')} and subscriber not in (select id from subscribers)`.execute(
        db,
      );
      return new Map(rows.map(({ id, state }) => [id, state]));
    },

    async addToken(token) {
      await db.insertInto('tokens').values(token).execute();
    },

    confirm: (tokenHash, now) =>
      db.transaction().execute(transaction => confirm(transaction, tokenHash, now)),
    leave: (id, now) => db.transaction().execute(transaction => leave(transaction, id, now)),
    suppress: (id, why, now) => db.transaction().execute(transaction => suppress(transaction, id, why, now)),
    unsuppress: (id, now) => db.transaction().execute(transaction => unsuppress(transaction, id, now)),
    erase: (id, now) => erasing(transaction => erase(transaction, id, now)),
    purge: purged => erasing(transaction => purge(transaction, purged)),

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
