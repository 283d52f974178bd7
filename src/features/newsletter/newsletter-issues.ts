import { type Kysely, type RawBuilder, sql, type Transaction, type Updateable } from 'kysely';
import { inPages } from '../../core/database/query-helpers.ts';
import {
  type DeliveryState,
  type DeliveryTable,
  deliveryStates,
  type NewsletterIssueRow,
  type Tables,
} from '../../core/database/tables.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';

type IssueDelivery = Pick<Delivery, 'state' | 'attempts' | 'last_failure' | 'settled_at'> & {
  address: string | null;
  subscriber: string;
};

export type NewNewsletterIssue = Omit<NewsletterIssueRow, 'held_at'>;

export type NewsletterIssues = ReturnType<typeof createNewsletterIssues>;

/** Batches are small enough to end before the statement timeout. */
const maxPageSize = 10_000;

export function heldOrWaiting(issue: string): RawBuilder<DeliveryState> {
  return sql<DeliveryState>`case when exists (select 1 from newsletter_issues where reference = ${issue} and held_at is not null)
    then 'held' else 'waiting' end`;
}

export function createNewsletterIssues(db: Kysely<Tables>) {
  return {
    queue: (issue: NewNewsletterIssue): Promise<number> =>
      db.transaction().execute(async transaction => {
        await transaction
          .insertInto('newsletter_issues')
          .values(issue)
          // Changes nothing, but locks the row against a second process that queues the issue.
          .onConflict(conflict => conflict.column('name').doUpdateSet({ name: issue.name }))
          .execute();
        let added = 0;
        for (let after: string | undefined = ''; after !== undefined; ) {
          const last = await findLastOfPage(transaction, after);
          added += await queueForSubscribers(transaction, issue, { after, last });
          after = last;
        }
        return added;
      }),

    get: (reference: string): Promise<NewsletterIssueRow | undefined> =>
      db.selectFrom('newsletter_issues').selectAll().where('reference', '=', reference).executeTakeFirst(),

    /** One at a time: each has two whole bodies. */
    each: () =>
      inPages(after =>
        db
          .selectFrom('newsletter_issues')
          .selectAll()
          .where('reference', '>', after)
          .orderBy('reference')
          .limit(1)
          .execute(),
      ),

    find: (name: string): Promise<NewsletterIssueRow | undefined> =>
      db.selectFrom('newsletter_issues').selectAll().where('name', '=', name).executeTakeFirst(),

    list: (limit: number): Promise<NewsletterIssueRow[]> =>
      db
        .selectFrom('newsletter_issues')
        .selectAll()
        .orderBy('queued_at', 'desc')
        .orderBy('name')
        .limit(limit)
        .execute(),

    async count(reference: string): Promise<Record<DeliveryState, number>> {
      const rows = await db
        .selectFrom('deliveries')
        .select(({ fn }) => ['state', fn.countAll().as('count')])
        .where('issue', '=', reference)
        .groupBy('state')
        .execute();
      const counted = new Map(rows.map(({ state, count }) => [state, Number(count)]));
      return Object.fromEntries(deliveryStates.map(state => [state, counted.get(state) ?? 0])) as Record<
        DeliveryState,
        number
      >;
    },

    listDeliveries: (
      reference: string,
      states: readonly DeliveryState[],
      limit: number,
    ): Promise<IssueDelivery[]> =>
      db
        .selectFrom('deliveries')
        .leftJoin('subscribers', 'subscribers.id', 'deliveries.subscriber')
        .select([
          'subscribers.address',
          'deliveries.subscriber',
          'deliveries.state',
          'deliveries.attempts',
          'deliveries.last_failure',
          'deliveries.settled_at',
        ])
        .where('deliveries.issue', '=', reference)
        .where('deliveries.state', 'in', states)
        .orderBy('subscribers.address')
        .orderBy('deliveries.reference')
        .limit(limit)
        .$castTo<IssueDelivery>()
        .execute(),

    async pause(reference: string, now: string): Promise<number> {
      await setHeldAt(db, reference, now);
      return moveDeliveries(db, reference, 'waiting', { state: 'held' });
    },

    async resume(reference: string, now: string): Promise<number> {
      await setHeldAt(db, reference, null);
      return moveDeliveries(db, reference, 'held', { state: 'waiting', due_at: now });
    },

    /** While the issue is stopped, these wait with the others. */
    resendUnconfirmed: (reference: string, now: string) =>
      moveDeliveries(db, reference, 'unconfirmed', {
        state: heldOrWaiting(reference),
        due_at: now,
        attempts: 0,
        settled_at: null,
        // The worker does not send an ambiguous mail.
        is_ambiguous: 0,
        is_possible_duplicate: 1,
      }),

    resendFailed: (reference: string, now: string) =>
      moveDeliveries(db, reference, 'failed', {
        state: heldOrWaiting(reference),
        due_at: now,
        attempts: 0,
        settled_at: null,
      }),
  };
}

async function setHeldAt(db: Kysely<Tables>, reference: string, heldAt: string | null): Promise<void> {
  await db
    .updateTable('newsletter_issues')
    .set({ held_at: heldAt })
    .where('reference', '=', reference)
    .execute();
}

async function findLastOfPage(db: Transaction<Tables>, after: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscribers')
    .select('id')
    .where('state', '=', 'confirmed')
    .where('id', '>', after)
    .orderBy('id')
    .offset(maxPageSize - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

async function queueForSubscribers(
  db: Transaction<Tables>,
  { name, hash, queued_at }: NewNewsletterIssue,
  { after, last }: { after: string; last: string | undefined },
): Promise<number> {
  const upToLast = last === undefined ? sql`` : sql`and subscribers.id <= ${last}`;
  const { numAffectedRows } = await sql`
    insert into deliveries (reference, receiver, kind, subscriber, issue, created_at, due_at)
    select newsletter_issues.reference || '-' || subscribers.id, 'newsletter', 'issue', subscribers.id, newsletter_issues.reference,
      cast(${queued_at} as text), cast(${queued_at} as text)
    from newsletter_issues cross join subscribers
    where newsletter_issues.name = ${name} and newsletter_issues.hash = ${hash}
      and subscribers.state = 'confirmed' and subscribers.id > ${after} ${upToLast}
    on conflict (reference, receiver) do nothing`.execute(db);
  return Number(numAffectedRows);
}

async function moveDeliveries(
  db: Kysely<Tables>,
  issue: string,
  from: DeliveryState,
  change: Omit<Updateable<DeliveryTable>, 'state'> & { state: DeliveryState | RawBuilder<DeliveryState> },
): Promise<number> {
  let moved = 0n;
  for (;;) {
    const last = await db
      .selectFrom('deliveries')
      .select('reference')
      .where('issue', '=', issue)
      .where('state', '=', from)
      .orderBy('reference')
      .offset(maxPageSize - 1)
      .limit(1)
      .executeTakeFirst();
    const { numUpdatedRows } = await db
      .updateTable('deliveries')
      .set(change)
      .where('issue', '=', issue)
      .where('state', '=', from)
      .$if(last !== undefined, query => query.where('reference', '<=', last?.reference as string))
      .executeTakeFirstOrThrow();
    moved += numUpdatedRows;
    if (last === undefined) return Number(moved);
  }
}
