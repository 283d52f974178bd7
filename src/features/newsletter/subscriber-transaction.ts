import { sql, type Transaction } from 'kysely';
import { isSqlite } from '../../core/database/query-helpers.ts';
import type { SubscriberRow, SuppressionReason, Tables, TokenRow } from '../../core/database/tables.ts';
import { storeFailure } from '../../core/outbox/failures.ts';

export type SubscriberChange = Partial<Omit<SubscriberRow, 'id'>>;
type Suppression = { id: string; reason: SuppressionReason; now: string };

export type SubscriberTransaction = ReturnType<typeof createSubscriberTransaction>;

/** All transactions lock sign-ups, subscribers, tokens and deliveries in this order, so that they cannot deadlock. */
export function createSubscriberTransaction(db: Transaction<Tables>) {
  return {
    lockSubscriber: (id: string): Promise<SubscriberRow | undefined> =>
      db
        .selectFrom('subscribers')
        .selectAll()
        .where('id', '=', id)
        .$if(!isSqlite(db), query => query.forUpdate())
        .executeTakeFirst(),

    lockSubscriberByToken: (hash: string): Promise<SubscriberRow | undefined> =>
      db
        .selectFrom('subscribers')
        .selectAll()
        .where('id', 'in', query => query.selectFrom('tokens').select('subscriber').where('hash', '=', hash))
        .$if(!isSqlite(db), query => query.forUpdate())
        .executeTakeFirst(),

    async updateSubscriber(id: string, change: SubscriberChange): Promise<void> {
      await db.updateTable('subscribers').set(change).where('id', '=', id).execute();
    },

    async deleteSubscriber(id: string): Promise<void> {
      await db.deleteFrom('subscribers').where('id', '=', id).execute();
    },

    /** Inserts an unknown id. Of a suppressed one it changes only a reason among `replaced`. */
    async suppress(
      { id, reason, now }: Suppression,
      replaced: readonly SuppressionReason[],
    ): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into subscribers (id, state, suppressed_at, suppression_reason)
        values (${id}, 'suppressed', ${now}, ${reason})
        on conflict (id) do update set state = excluded.state, suppressed_at = excluded.suppressed_at,
          suppression_reason = excluded.suppression_reason
        where subscribers.state <> 'suppressed' or subscribers.suppression_reason in (${sql.join(replaced)})`.execute(
        db,
      );
      return (numAffectedRows ?? 0n) > 0n;
    },

    async insertSuppressed({ id, reason, now }: Suppression): Promise<void> {
      await sql`insert into subscribers (id, state, suppressed_at, suppression_reason)
        values (${id}, 'suppressed', ${now}, ${reason}) on conflict (id) do nothing`.execute(db);
    },

    takeToken: (hash: string): Promise<TokenRow | undefined> =>
      db.deleteFrom('tokens').where('hash', '=', hash).returningAll().executeTakeFirst(),

    async deleteTokens(subscriber: string): Promise<void> {
      await db.deleteFrom('tokens').where('subscriber', '=', subscriber).execute();
    },

    async deleteSubscriberSignUps(subscriber: string): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('sign_ups')
        .where('subscriber', '=', subscriber)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    async deleteDeliveries(subscriber: string): Promise<void> {
      await db.deleteFrom('deliveries').where('subscriber', '=', subscriber).execute();
    },

    async cancelWaitingConfirmations(subscriber: string, now: string): Promise<void> {
      await db
        .updateTable('deliveries')
        .set({ state: 'cancelled', last_failure: storeFailure({ code: 'not-wanted' }), settled_at: now })
        .where('subscriber', '=', subscriber)
        .where('kind', '=', 'confirmation')
        .where('state', '=', 'waiting')
        .execute();
    },
  };
}
