import { type Kysely, sql, type Transaction } from 'kysely';
import { isAmong, isSqlite } from '../../core/database/query-helpers.ts';
import type { MessageRow, MessageState, Tables } from '../../core/database/tables.ts';
import { type DeliveryFilter, filterDeliveries } from '../../core/outbox/deliveries.ts';
import { messageFieldNames } from './message-fields.ts';

/** All but the text of the search. */
export const messageColumns = [
  'reference',
  'received_at',
  'state',
  ...messageFieldNames,
  'idempotency_key',
  'quarantine_reason',
  'answered_at',
  'closed_at',
  'audit_report',
] as const satisfies (keyof MessageRow)[];

export type MessageFilter = {
  state?: MessageState;
  service?: string;
  since?: string;
  upTo?: string;
  reason?: string;
  deliveredTo?: string;
  /** Messages that have such a delivery. */
  delivery?: Required<Pick<DeliveryFilter, 'states' | 'receivers'>>;
};

export type MessageCursor = Pick<MessageRow, 'received_at' | 'reference'>;
export type MessageOrder = 'newest' | 'oldest';

/** Small enough to be garbage before V8 moves it to the old generation. */
const pageLength = 250;

/** Reads pages, each with its own query: no lock is held, and messages may arrive or go meanwhile. */
export async function* readPages(
  db: Kysely<Tables>,
  filter: MessageFilter,
  order: MessageOrder,
  after?: MessageCursor,
): AsyncGenerator<MessageRow[]> {
  for (;;) {
    const page = await selectPage(db, filter, { order, limit: pageLength, after })
      .select(messageColumns)
      .execute();
    if (page.length > 0) yield page;
    if (page.length < pageLength) return;
    after = page.at(-1);
  }
}

type Page = {
  order: MessageOrder;
  limit: number;
  after: MessageCursor | undefined;
  /** Inclusive. */
  upTo?: MessageCursor | undefined;
};

export function selectPage(db: Kysely<Tables>, filter: MessageFilter, { order, limit, after, upTo }: Page) {
  const direction = order === 'newest' ? 'desc' : 'asc';
  const beyond = order === 'newest' ? sql.raw('<') : sql.raw('>');
  return selectMessages(db, filter)
    .$if(after !== undefined, query => {
      const { received_at, reference } = after as MessageCursor;
      return query.where(sql<boolean>`(received_at, reference) ${beyond} (${received_at}, ${reference})`);
    })
    .$if(upTo !== undefined, query => {
      const { received_at, reference } = upTo as MessageCursor;
      const notBeyond = order === 'newest' ? sql.raw('>=') : sql.raw('<=');
      return query.where(sql<boolean>`(received_at, reference) ${notBeyond} (${received_at}, ${reference})`);
    })
    .orderBy('received_at', direction)
    .orderBy('reference', direction)
    .limit(limit);
}

export function selectMessages(
  db: Kysely<Tables>,
  { state, service, since, upTo, reason, deliveredTo, delivery }: MessageFilter,
) {
  return db
    .selectFrom('messages')
    .$if(state !== undefined, query => query.where('state', '=', state as MessageState))
    .$if(service !== undefined, query => query.where('service', '=', service as string))
    .$if(since !== undefined, query => query.where('received_at', '>=', since as string))
    .$if(upTo !== undefined, query => query.where('received_at', '<=', upTo as string))
    .$if(reason !== undefined, query =>
      query.where(sql<boolean>`', ' || quarantine_reason || ', ' like ${`%, ${reason}, %`}`),
    )
    .$if(deliveredTo !== undefined, query =>
      query.where(sql<boolean>`exists (select 1 from deliveries where deliveries.reference = messages.reference
        and deliveries.receiver = ${deliveredTo} and deliveries.state in ('delivered', 'sending'))`),
    )
    .$if(delivery !== undefined, query => {
      const found = filterDeliveries(db, delivery as DeliveryFilter).select('deliveries.reference');
      // Nearly every message is delivered: each is asked for its own. Of the other states there are few, listed at once.
      if (!delivery?.states.includes('delivered')) return query.where('reference', 'in', found);
      const own = found.where(sql<boolean>`deliveries.reference = messages.reference`);
      return query.where(({ exists }) => exists(own));
    });
}

/** Every transaction locks in this order, so that two cannot deadlock. SQLite's transactions lock the whole file. */
export async function lockMessages(db: Transaction<Tables>, references: readonly string[]): Promise<void> {
  if (isSqlite(db)) return;
  await db
    .selectFrom('messages')
    .select('reference')
    .where(isAmong(db, references))
    .orderBy('reference')
    .forUpdate()
    .execute();
}
