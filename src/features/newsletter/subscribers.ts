import { type Kysely, sql, type Transaction } from 'kysely';
import { withAdvisoryLock } from '../../core/database/advisory-lock.ts';
import { countRows, isAmong } from '../../core/database/query-helpers.ts';
import type {
  SignUpRow,
  SubscriberRow,
  SubscriberState,
  Tables,
  TokenRow,
} from '../../core/database/tables.ts';
import { truncateWal } from '../../core/database/truncate-wal.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import {
  createPendingTransaction,
  listOldConfirmations,
  type PendingTransaction,
} from './pending-requests.ts';
import { createSignUpTransaction, type SignUpTransaction } from './sign-up-transaction.ts';
import { createSubscriberTransaction, type SubscriberTransaction } from './subscriber-transaction.ts';

export type NewsletterTransaction = SubscriberTransaction & SignUpTransaction & PendingTransaction;

/** `text` is a part of the address. */
export type SubscriberSearch = { state?: SubscriberState | undefined; text: string };
type SubscriberFilter = Partial<SubscriberSearch> & { after?: string };
type Work<Result> = (transaction: NewsletterTransaction) => Promise<Result>;

/** All that is stored about a subscriber. */
export type NewsletterRecord = {
  subscriber: SubscriberRow | undefined;
  signUps: SignUpRow[];
  tokens: number;
  mails: (Delivery & { name: string | null })[];
};

/** A pseudonym alone is not personal data. */
export function hasSubscriberData({ subscriber, signUps, mails, tokens }: NewsletterRecord): boolean {
  const isNamed = subscriber !== undefined && subscriber.address !== null;
  return isNamed || signUps.length > 0 || mails.length > 0 || tokens > 0;
}

export type Subscribers = ReturnType<typeof createSubscribers>;

export function createSubscribers(db: Kysely<Tables>) {
  const inState = (state: SubscriberState | undefined) =>
    db
      .selectFrom('subscribers')
      .$if(state !== undefined, query => query.where('state', '=', state as SubscriberState));
  const matching = ({ state, text }: SubscriberSearch) =>
    inState(state).$if(text !== '', query =>
      query.where(sql<boolean>`lower(address) like ${createPattern(text)} escape '\\'`),
    );
  return {
    get: (id: string): Promise<SubscriberRow | undefined> =>
      db.selectFrom('subscribers').selectAll().where('id', '=', id).executeTakeFirst(),

    async getRecord(id: string): Promise<NewsletterRecord> {
      const [subscriber, signUps, tokens, mails] = await Promise.all([
        db.selectFrom('subscribers').selectAll().where('id', '=', id).executeTakeFirst(),
        db.selectFrom('sign_ups').selectAll().where('subscriber', '=', id).orderBy('requested_at').execute(),
        db.selectFrom('tokens').select('hash').where('subscriber', '=', id).execute(),
        db
          .selectFrom('deliveries')
          .leftJoin('newsletter_issues', 'newsletter_issues.reference', 'deliveries.issue')
          .selectAll('deliveries')
          .select('newsletter_issues.name')
          .where('deliveries.subscriber', '=', id)
          .orderBy('deliveries.created_at')
          .execute(),
      ]);
      return { subscriber, signUps, tokens: tokens.length, mails };
    },

    /** Also of requests that wait. */
    async listAddresses(): Promise<string[]> {
      const { rows } = await sql<{ address: string }>`select address from subscribers
        where address is not null union select address from sign_ups`.execute(db);
      return rows.map(({ address }) => address);
    },

    listOptOuts: (since: string): Promise<SubscriberRow[]> =>
      db
        .selectFrom('subscribers')
        .selectAll()
        .where(({ eb, or }) => or([eb('unsubscribed_at', '>=', since), eb('suppressed_at', '>=', since)]))
        .execute(),

    list: ({ state, text = '', after }: SubscriberFilter, limit: number): Promise<SubscriberRow[]> =>
      matching({ state, text })
        .selectAll()
        .$if(after !== undefined, query => query.where('id', '>', after as string))
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** The newest change first. */
    search: (
      what: SubscriberSearch,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<SubscriberRow[]> =>
      matching(what)
        .selectAll()
        .orderBy(sql`coalesce(suppressed_at, unsubscribed_at, confirmed_at, requested_at, '')`, 'desc')
        .orderBy('id')
        .offset(offset)
        .limit(limit)
        .execute(),

    countMatching: (what: SubscriberSearch): Promise<number> => countRows(db, matching(what)),

    count: (state?: SubscriberState): Promise<number> => countRows(db, inState(state)),

    async findStates(ids: readonly string[]): Promise<Map<string, SubscriberState>> {
      const { rows } = await sql<Pick<SubscriberRow, 'id' | 'state'>>`
        select id, state from subscribers where ${isAmong(db, ids, 'id')}
        union all select subscriber, 'pending' from sign_ups
        where ${isAmong(db, ids, 'subscriber')} and subscriber not in (select id from subscribers)`.execute(
        db,
      );
      return new Map(rows.map(({ id, state }) => [id, state]));
    },

    async addToken(token: TokenRow): Promise<void> {
      await db.insertInto('tokens').values(token).execute();
    },

    inTransaction: <Result>(work: Work<Result>): Promise<Result> =>
      db.transaction().execute(transaction => work(createTransaction(transaction))),

    inExclusiveTransaction: <Result>(work: Work<Result>): Promise<Result> =>
      withAdvisoryLock(db, transaction => work(createTransaction(transaction))),

    /** Exclusive, and truncates SQLite's WAL afterwards, so that no file holds what was deleted. */
    async inErasingTransaction<Result>(work: Work<Result>): Promise<Result> {
      const result = await withAdvisoryLock(db, transaction => work(createTransaction(transaction)));
      await truncateWal(db);
      return result;
    },

    listOldConfirmations: (before: string) => listOldConfirmations(db, before),
  };
}

function createPattern(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, sign => `\\${sign}`)}%`;
}

function createTransaction(db: Transaction<Tables>): NewsletterTransaction {
  return {
    ...createSubscriberTransaction(db),
    ...createSignUpTransaction(db),
    ...createPendingTransaction(db),
  };
}
