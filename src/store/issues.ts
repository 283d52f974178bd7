import { type Kysely, sql, type Transaction, type Updateable } from 'kysely';
import {
  type DeliveryState,
  type DeliveryTable,
  deliveryStates,
  type IssueRow,
  type Tables,
} from './tables.ts';

export type LetterRow = {
  address: string | null;
  subscriber: string;
  state: DeliveryState;
  attempts: number;
  last_failure: string;
  settled_at: string | null;
};

export type NewIssue = Omit<IssueRow, 'held_at'>;

export type Issues = {
  /**
   * Stores the issue, if its name is new, and one delivery for each confirmed subscriber that has none of it, all in one
   * transaction. How many deliveries were added: none where other words have that name.
   */
  queue(issue: NewIssue): Promise<number>;
  get(reference: string): Promise<IssueRow | undefined>;
  find(name: string): Promise<IssueRow | undefined>;
  /** Newest first. */
  list(limit: number): Promise<IssueRow[]>;
  /** How many of its letters are in each state; every state is there. */
  count(reference: string): Promise<Record<DeliveryState, number>>;
  /** By address. */
  listLetters(reference: string, states: readonly DeliveryState[], limit: number): Promise<LetterRow[]>;
  /** Waiting ones are held, and those under way that fail. How many there were. */
  hold(reference: string, now: string): Promise<number>;
  /** Held ones wait again, and are due. */
  letGo(reference: string, now: string): Promise<number>;
  /** Unsure ones wait again, marked as possibly twice. */
  resendUnsure(reference: string, now: string): Promise<number>;
  /** Those that were given up wait again, from the beginning. */
  resendFailed(reference: string, now: string): Promise<number>;
};

/** Each statement ends long before a database loses its patience, however many readers there are. */
const largestPage = 10_000;

export function createIssues(db: Kysely<Tables>): Issues {
  return {
    queue: issue =>
      db.transaction().execute(async transaction => {
        await transaction
          .insertInto('issues')
          .values(issue)
          // Changes nothing, but holds the row: two that queue the same issue do it one after the other.
          .onConflict(conflict => conflict.column('name').doUpdateSet({ name: issue.name }))
          .execute();
        let added = 0;
        for (let after: string | undefined = ''; after !== undefined; ) {
          const last = await findLastOfPage(transaction, after);
          added += await addLetters(transaction, issue, { after, last });
          after = last;
        }
        return added;
      }),

    get: reference =>
      db.selectFrom('issues').selectAll().where('reference', '=', reference).executeTakeFirst(),

    find: name => db.selectFrom('issues').selectAll().where('name', '=', name).executeTakeFirst(),

    list: limit =>
      db.selectFrom('issues').selectAll().orderBy('queued_at', 'desc').orderBy('name').limit(limit).execute(),

    async count(reference) {
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

    listLetters: (reference, states, limit) =>
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
        .$castTo<LetterRow>()
        .execute(),

    async hold(reference, now) {
      await markHeld(db, reference, now);
      return moveLetters(db, reference, 'waiting', { state: 'held' });
    },

    async letGo(reference, now) {
      await markHeld(db, reference, null);
      return moveLetters(db, reference, 'held', { state: 'waiting', due_at: now });
    },

    resendUnsure: (reference, now) =>
      moveLetters(db, reference, 'unsure', {
        state: 'waiting',
        due_at: now,
        attempts: 0,
        settled_at: null,
        // The doubt is answered for: left standing, it would keep the letter from being sent.
        is_ambiguous: 0,
        is_possibly_twice: 1,
      }),

    resendFailed: (reference, now) =>
      moveLetters(db, reference, 'dead', { state: 'waiting', due_at: now, attempts: 0, settled_at: null }),
  };
}

async function markHeld(db: Kysely<Tables>, reference: string, heldAt: string | null): Promise<void> {
  await db.updateTable('issues').set({ held_at: heldAt }).where('reference', '=', reference).execute();
}

/** Undefined when no more than a page is left. */
async function findLastOfPage(db: Transaction<Tables>, after: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscribers')
    .select('id')
    .where('state', '=', 'confirmed')
    .where('id', '>', after)
    .orderBy('id')
    .offset(largestPage - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

async function addLetters(
  db: Transaction<Tables>,
  { name, digest, queued_at }: NewIssue,
  { after, last }: { after: string; last: string | undefined },
): Promise<number> {
  const upToLast = last === undefined ? sql`` : sql`and subscribers.id <= ${last}`;
  const { numAffectedRows } = await sql`
    insert into deliveries (reference, receiver, kind, subscriber, issue, created_at, due_at)
    select issues.reference || '-' || subscribers.id, 'newsletter', 'issue', subscribers.id, issues.reference,
      cast(${queued_at} as text), cast(${queued_at} as text)
    from issues cross join subscribers
    where issues.name = ${name} and issues.digest = ${digest}
      and subscribers.state = 'confirmed' and subscribers.id > ${after} ${upToLast}
    on conflict (reference, receiver) do nothing`.execute(db);
  return Number(numAffectedRows);
}

async function moveLetters(
  db: Kysely<Tables>,
  issue: string,
  from: DeliveryState,
  change: Updateable<DeliveryTable>,
): Promise<number> {
  let moved = 0n;
  for (;;) {
    const last = await db
      .selectFrom('deliveries')
      .select('reference')
      .where('issue', '=', issue)
      .where('state', '=', from)
      .orderBy('reference')
      .offset(largestPage - 1)
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
