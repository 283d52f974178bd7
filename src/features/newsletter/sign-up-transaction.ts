import { type RawBuilder, sql, type Transaction } from 'kysely';
import { isAmong, isSqlite, jsonRows } from '../../core/database/query-helpers.ts';
import type {
  DeliveryState,
  SignUpRow,
  SubscriberState,
  SuppressionReason,
  Tables,
} from '../../core/database/tables.ts';

/** Confirmation mails after `before` make a subscriber unmailable, as does a suppression after `before`. */
export type MailableRule = {
  states: readonly SubscriberState[];
  reasons: readonly SuppressionReason[];
  before: string;
};

export type KnownSubscriber = { id: string; unsubscribed_at: string | null; isMailable: boolean };
export type PastConfirmation = { mailbox: string; subscriber: string; state: DeliveryState };
type NewConfirmation = {
  reference: string;
  subscriber: string;
  mailbox: string;
  network: string;
  state: 'waiting' | 'cancelled';
};

export type SignUpTransaction = ReturnType<typeof createSignUpTransaction>;

export function createSignUpTransaction(db: Transaction<Tables>) {
  return {
    async countConfirmations(since: string): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('deliveries')
        .select(({ fn }) => ['network', fn.countAll().as('count')])
        .where(isCountedSince(since))
        .groupBy('network')
        .execute();
      return new Map(rows.map(({ network, count }) => [network ?? '', Number(count)]));
    },

    /** The addresses of the confirmations that visitors asked for, where the subscriber still has one. */
    async listConfirmationAddresses(since: string): Promise<string[]> {
      const { rows } = await sql<{ address: string }>`select subscribers.address from deliveries
        join subscribers on subscribers.id = deliveries.subscriber
        where ${isCountedSince(since)} and subscribers.address is not null and deliveries.network <> 'import'`.execute(
        db,
      );
      return rows.map(({ address }) => address);
    },

    /**
     * Round-robin over networks; a confirmation already counted for a network uses one of its slots. Those of visitors to
     * `fullDomains`, or to names below one, are left out.
     */
    async listNextSignUps(
      limit: number,
      counted: ReadonlyMap<string, number>,
      fullDomains: readonly string[],
    ): Promise<SignUpRow[]> {
      // Skips what an unsubscription deletes at this moment.
      const lock = sql.raw(isSqlite(db) ? '' : 'for update of sign_ups skip locked');
      // Without the cast to text SQLite builds no index and scans all of it for each sign-up.
      const { rows } = await sql<SignUpRow>`
        with counted as materialized (select cast(value ->> 0 as text) as network,
          cast(value ->> 1 as integer) as confirmations from ${jsonRows(db, [...counted])}),
        numbered as (select id, requested_at, network,
          row_number() over (partition by network order by requested_at, id) as number from sign_ups
          where form = 'import' or not ${isWithinDomains(fullDomains)}),
        next as materialized (select numbered.id, number + coalesce(confirmations, 0) as turn
          from numbered left join counted on counted.network = numbered.network
          order by turn, requested_at, numbered.id limit ${limit})
        select sign_ups.* from next join sign_ups on sign_ups.id = next.id
        order by turn, requested_at, sign_ups.id ${lock}`.execute(db);
      return rows;
    },

    async findKnown(ids: readonly string[], rule: MailableRule): Promise<Map<string, KnownSubscriber>> {
      const { rows } = await sql<{ id: string; unsubscribed_at: string | null; mailable: number }>`
        select id, unsubscribed_at, case when ${isMailable(rule)} then 1 else 0 end as mailable
        from subscribers where ${isAmong(db, ids, 'id')}`.execute(db);
      return new Map(
        rows.map(({ id, unsubscribed_at, mailable }) => [
          id,
          { id, unsubscribed_at, isMailable: mailable === 1 },
        ]),
      );
    },

    async findConfirmations(mailboxes: readonly string[], since: string) {
      const { rows } = await sql<PastConfirmation>`select mailbox, subscriber, state from deliveries
        where ${isAmong(db, mailboxes, 'mailbox')} and kind = 'confirmation'
          and (state in ('waiting', 'sending')
            or created_at > ${since}
            or state in ('delivered', 'unconfirmed') and settled_at > ${since})`.execute(db);
      return Map.groupBy(rows, ({ mailbox }) => mailbox);
    },

    /** Checks under the row's lock the rule, and that the request is not older than an unsubscription. */
    async makePending(signUps: readonly SignUpRow[], rule: MailableRule, now: string): Promise<string[]> {
      // Every caller locks in this order, so that two transactions cannot deadlock.
      const inOrder = signUps.toSorted((a, b) => (a.subscriber < b.subscriber ? -1 : 1));
      const values = inOrder.map(({ subscriber, address, form, consent_text, requested_at }) => {
        return [subscriber, address, form, consent_text, requested_at, now];
      });
      // Consent, `unsubscribed_at` and `suppression_reason` stay, for a request that is never confirmed.
      const { rows } = await sql<{ id: string }>`
        insert into subscribers (id, address, state, request_form, request_consent_text, requested_at, mailed_at)
        select value ->> 0, value ->> 1, 'pending', value ->> 2, value ->> 3, value ->> 4, value ->> 5
        from ${jsonRows(db, values)} where true
        on conflict (id) do update set address = excluded.address, state = excluded.state,
          request_form = excluded.request_form, request_consent_text = excluded.request_consent_text,
          requested_at = excluded.requested_at, mailed_at = excluded.mailed_at
        where ${isMailable(rule)} and (subscribers.unsubscribed_at is null
          or subscribers.unsubscribed_at <= excluded.requested_at)
        returning id`.execute(db);
      return rows.map(({ id }) => id);
    },

    async addConfirmations(confirmations: readonly NewConfirmation[], now: string): Promise<void> {
      const rows = confirmations.map(({ reference, subscriber, mailbox, network, state }) => {
        const settledAt = state === 'cancelled' ? now : null;
        return [reference, subscriber, mailbox, network, now, state, settledAt];
      });
      await sql`insert into deliveries
        (receiver, kind, reference, subscriber, mailbox, network, created_at, due_at, state, settled_at)
        select 'confirmations', 'confirmation', value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
          value ->> 4, value ->> 5, value ->> 6
        from ${jsonRows(db, rows)}`.execute(db);
    },

    async deleteSignUps(ids: readonly string[]): Promise<void> {
      await db
        .deleteFrom('sign_ups')
        .where(isAmong(db, ids, 'id'))
        .execute();
    },
  };
}

/** Kinds and states are literals, so that the partial index is used. */
function isCountedSince(since: string): RawBuilder<boolean> {
  return sql`(deliveries.kind = 'confirmation' and (deliveries.created_at > ${since}
    or deliveries.state in ('delivered', 'unconfirmed') and deliveries.settled_at > ${since}
    or deliveries.state in ('waiting', 'sending') and deliveries.attempts = 0))`;
}

/** Addresses are stored with their host in ASCII and lower case. */
function isWithinDomains(domains: readonly string[]): RawBuilder<boolean> {
  const isWithin = domains.map(domain => sql`address like ${`%@${domain}`} or address like ${`%.${domain}`}`);
  return isWithin.length === 0 ? sql`1 = 0` : sql`(${sql.join(isWithin, sql` or `)})`;
}

function isMailable({ states, reasons, before }: MailableRule): RawBuilder<boolean> {
  return sql`(subscribers.state in (${sql.join(states)})
      or subscribers.state = 'suppressed' and subscribers.suppression_reason in (${sql.join(reasons)})
        and subscribers.suppressed_at <= ${before})
    and (subscribers.mailed_at is null or subscribers.mailed_at <= ${before})
    and not exists (select 1 from deliveries
      where deliveries.subscriber = subscribers.id and deliveries.kind = 'confirmation'
        and (deliveries.state in ('waiting', 'sending') or deliveries.state in ('delivered', 'unconfirmed')
          and deliveries.settled_at > ${before}))`;
}
