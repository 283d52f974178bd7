import type { Kysely } from 'kysely';
import { endRequest, returnToErased } from './erasures.ts';
import type { Dialect } from './open.ts';
import type { Tables, TokenRow } from './tables.ts';

/** How somebody becomes a reader, and stops being one. */
export type Consents = {
  addToken(token: TokenRow): Promise<void>;
  /** Uses the token up and confirms, in one transaction. False when it is unknown, used or expired. */
  confirm(tokenHash: string, now: string): Promise<boolean>;
  /** False when there was nothing to leave. A pending request is withdrawn, too. */
  leave(id: string, now: string): Promise<boolean>;
};

export function createConsents(db: Kysely<Tables>, dialect: Dialect): Consents {
  return {
    async addToken(token) {
      await db.insertInto('tokens').values(token).execute();
    },

    confirm: (tokenHash, now) =>
      db.transaction().execute(async transaction => {
        // The subscriber is locked before any token, so that two tokens of one cannot wait for each other in a ring.
        await transaction
          .selectFrom('subscribers')
          .select('id')
          .where('id', 'in', query =>
            query.selectFrom('tokens').select('subscriber').where('hash', '=', tokenHash),
          )
          .$if(dialect === 'postgres', query => query.forUpdate())
          .execute();
        const used = await transaction
          .deleteFrom('tokens')
          .where('hash', '=', tokenHash)
          .returning(['subscriber', 'expires_at'])
          .executeTakeFirst();
        if (!used || used.expires_at <= now) return false;
        const { numUpdatedRows } = await transaction
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
        await endRequest(transaction, used.subscriber, now);
        return numUpdatedRows > 0n;
      }),

    leave: (id, now) =>
      db.transaction().execute(async transaction => {
        // What was asked for before, and nobody has looked at yet, would bring a letter after the last one. First, as
        // everywhere: requests, then subscribers, tokens and letters, so that nobody waits in a ring.
        await transaction.deleteFrom('sign_ups').where('subscriber', '=', id).execute();
        const withdrawn = await returnToErased(transaction).where('id', '=', id).executeTakeFirstOrThrow();
        const left = await transaction
          .updateTable('subscribers')
          // One who had left before and was only asked anew left then, not now.
          .set(({ fn, val }) => ({ state: 'unsubscribed', left_at: fn.coalesce('left_at', val(now)) }))
          .where('id', '=', id)
          .where('state', 'in', ['pending', 'confirmed'])
          .executeTakeFirstOrThrow();
        // Nothing is sent there for another reason. Once that is lifted, whoever has left stays away.
        const noted = await transaction
          .updateTable('subscribers')
          .set({ left_at: now })
          .where('id', '=', id)
          .where('state', '=', 'suppressed')
          .where('confirmed_at', 'is not', null)
          .where('left_at', 'is', null)
          .executeTakeFirstOrThrow();
        await endRequest(transaction, id, now);
        return withdrawn.numUpdatedRows + left.numUpdatedRows + noted.numUpdatedRows > 0n;
      }),
  };
}
