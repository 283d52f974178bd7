import { sql, type Transaction } from 'kysely';
import { isSqlite } from './query-helpers.ts';
import type { SubscriberRow, SuppressionReason, Tables, TokenRow } from './tables.ts';

export type SubscriberChange = Partial<Omit<SubscriberRow, 'id'>>;
export type Suppression = { id: string; why: SuppressionReason; now: string };

/** Reads and writes of one subscriber. All transactions lock sign-ups, subscribers, tokens, deliveries in this order. */
export type SubscriberTransaction = {
  lockSubscriber(id: string): Promise<SubscriberRow | undefined>;
  lockSubscriberOfToken(hash: string): Promise<SubscriberRow | undefined>;
  updateSubscriber(id: string, change: SubscriberChange): Promise<void>;
  deleteSubscriber(id: string): Promise<void>;
  /** An unknown id gets a row without an address. A suppressed one changes only if its reason is among `replaced`. */
  suppress(suppression: Suppression, replaced: readonly SuppressionReason[]): Promise<boolean>;
  insertSuppressed(suppression: Suppression): Promise<void>;
  /** Deletes the token, so that it is used once. */
  takeToken(hash: string): Promise<TokenRow | undefined>;
  deleteTokens(subscriber: string): Promise<void>;
  deleteSignUpsOf(subscriber: string): Promise<number>;
  deleteDeliveries(subscriber: string): Promise<void>;
  dropWaitingConfirmations(subscriber: string, why: string, now: string): Promise<void>;
};

export function createSubscriberTransaction(db: Transaction<Tables>): SubscriberTransaction {
  return {
    lockSubscriber: id =>
      db
        .selectFrom('subscribers')
        .selectAll()
        .where('id', '=', id)
        .$if(!isSqlite(db), query => query.forUpdate())
        .executeTakeFirst(),

    lockSubscriberOfToken: hash =>
      db
        .selectFrom('subscribers')
        .selectAll()
        .where('id', 'in', query => query.selectFrom('tokens').select('subscriber').where('hash', '=', hash))
        .$if(!isSqlite(db), query => query.forUpdate())
        .executeTakeFirst(),

    async updateSubscriber(id, change) {
      await db.updateTable('subscribers').set(change).where('id', '=', id).execute();
    },

    async deleteSubscriber(id) {
      await db.deleteFrom('subscribers').where('id', '=', id).execute();
    },

    async suppress({ id, why, now }, replaced) {
      const { numAffectedRows } = await sql`
        insert into subscribers (id, state, suppressed_at, suppression_reason)
        values (${id}, 'suppressed', ${now}, ${why})
        on conflict (id) do update set state = excluded.state, suppressed_at = excluded.suppressed_at,
          suppression_reason = excluded.suppression_reason
        where subscribers.state <> 'suppressed' or subscribers.suppression_reason in (${sql.join(replaced)})`.execute(
        db,
      );
      return (numAffectedRows ?? 0n) > 0n;
    },

    async insertSuppressed({ id, why, now }) {
      await sql`insert into subscribers (id, state, suppressed_at, suppression_reason)
        values (${id}, 'suppressed', ${now}, ${why}) on conflict (id) do nothing`.execute(db);
    },

    takeToken: hash => db.deleteFrom('tokens').where('hash', '=', hash).returningAll().executeTakeFirst(),

    async deleteTokens(subscriber) {
      await db.deleteFrom('tokens').where('subscriber', '=', subscriber).execute();
    },

    async deleteSignUpsOf(subscriber) {
      const { numDeletedRows } = await db
        .deleteFrom('sign_ups')
        .where('subscriber', '=', subscriber)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    async deleteDeliveries(subscriber) {
      await db.deleteFrom('deliveries').where('subscriber', '=', subscriber).execute();
    },

    async dropWaitingConfirmations(subscriber, why, now) {
      await db
        .updateTable('deliveries')
        .set({ state: 'dropped', last_failure: why, settled_at: now })
        .where('subscriber', '=', subscriber)
        .where('kind', '=', 'confirmation')
        .where('state', '=', 'waiting')
        .execute();
    },
  };
}
