import { type Kysely, sql } from 'kysely';
import { endRequest } from './erasures.ts';
import type { Dialect } from './open.ts';
import type { SubscriberState, SuppressionReason, Tables } from './tables.ts';

/** Addresses to which nothing is sent, whoever asks for it. */
export type Suppressions = {
  /**
   * Nothing is sent there any more. An address that is not known gets a row without it. A complaint is noted over any
   * other reason, and any reason over an erasure. False: it was so already.
   */
  suppress(id: string, why: Exclude<SuppressionReason, 'erased'>, now: string): Promise<boolean>;
  /**
   * Back to confirmed where consent was given and never taken back; after a complaint or without consent to unsubscribed;
   * a row that holds no address goes. What it is now, or undefined when it was not suppressed.
   */
  unsuppress(id: string, now: string): Promise<SubscriberState | 'forgotten' | undefined>;
};

export function createSuppressions(db: Kysely<Tables>, dialect: Dialect): Suppressions {
  return {
    suppress: (id, why, now) =>
      db.transaction().execute(async transaction => {
        const { numAffectedRows } = await sql`
          insert into subscribers (id, state, suppressed_at, suppressed_why)
          values (${id}, 'suppressed', ${now}, ${why})
          on conflict (id) do update set state = excluded.state, suppressed_at = excluded.suppressed_at,
            suppressed_why = excluded.suppressed_why
          where subscribers.state <> 'suppressed' or subscribers.suppressed_why = 'erased'
            or excluded.suppressed_why = 'complaint' and subscribers.suppressed_why <> 'complaint'`.execute(
          transaction,
        );
        await endRequest(transaction, id, now);
        return (numAffectedRows ?? 0n) > 0n;
      }),

    unsuppress: (id, now) =>
      db.transaction().execute(async transaction => {
        const row = await transaction
          .selectFrom('subscribers')
          .selectAll()
          .where('id', '=', id)
          .where('state', '=', 'suppressed')
          .$if(dialect === 'postgres', query => query.forUpdate())
          .executeTakeFirst();
        if (!row) return undefined;
        if (row.address === null) {
          await transaction.deleteFrom('subscribers').where('id', '=', id).execute();
          return 'forgotten';
        }
        const isWilling =
          row.confirmed_at !== null && row.left_at === null && row.suppressed_why !== 'complaint';
        const state = isWilling ? 'confirmed' : 'unsubscribed';
        await transaction
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
      }),
  };
}
