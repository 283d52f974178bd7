import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Dialect } from './open.ts';
import type { MessageState, Tables } from './tables.ts';
import { createViewFigures, type ViewFigures } from './view-figures.ts';

/** What is told of everything at once: numbers alone, nothing that a visitor wrote. */
export type Figures = ViewFigures & {
  /** Messages of each day in UTC and each state, by day. */
  countDays(): Promise<{ day: string; state: MessageState; count: number }[]>;
  /** Messages that were taken in, by service: '' where none was chosen, null for all that is not in the list. */
  countServices(known: readonly string[]): Promise<{ service: string | null; count: number }[]>;
  /** How long a receiver's messages took from receipt to arrival, shortest first; finer for what is short. */
  countTimes(receiver: string): Promise<{ ms: number; count: number }[]>;
  /** Readers who confirmed on a day, and readers who left or were suppressed, by day. */
  countReaders(): Promise<{ day: string; joined: number; left: number }[]>;
  countDead(receivers: readonly string[]): Promise<{ receiver: string; count: number }[]>;
  /** Newest first. */
  listDead(receivers: readonly string[], limit: number): Promise<DeadDelivery[]>;
  /** What waits or is on its way to each of these, and what was given up. */
  queues(receivers: readonly string[]): Promise<Queue[]>;
};

export type DeadDelivery = { reference: string; receiver: string; settled_at: string; last_failure: string };
export type Queue = { receiver: string; waiting: number; oldest: string | undefined; dead: number };

/** Of a long queue the oldest is looked for at both its ends: what was never tried is first, what failed is last. */
const mostLookedAt = 1000;

/** `mostRows` is what one statement looks at: a database loses its patience after seconds, and a million take longer. */
export function createFigures(db: Kysely<Tables>, dialect: Dialect, mostRows = 100_000): Figures {
  const messagesFrom = (after: string) =>
    db
      .selectFrom('messages')
      .select('received_at as at')
      .where('received_at', '>', after)
      .orderBy('received_at');
  const messageSpans = () => spans(after => nth(messagesFrom(after)));

  async function nth(query: Ordered): Promise<string | undefined> {
    const row = await query
      .limit(1)
      .offset(mostRows - 1)
      .executeTakeFirst();
    return row?.at;
  }

  /** Adds up what each span says of the same thing. */
  async function sum<Row extends { count: unknown }>(
    found: AsyncIterable<Span>,
    ask: (span: Span) => RawBuilder<Row>,
  ): Promise<(Omit<Row, 'count'> & { count: number })[]> {
    const sums = new Map<string, Omit<Row, 'count'> & { count: number }>();
    for await (const span of found) {
      for (const { count, ...about } of (await ask(span).execute(db)).rows) {
        const key = JSON.stringify(about);
        sums.set(key, { ...about, count: (sums.get(key)?.count ?? 0) + Number(count) });
      }
    }
    return [...sums.values()];
  }

  return {
    ...createViewFigures(db),

    async countDays() {
      const days = await sum(
        messageSpans(),
        span => sql<{ day: string; state: MessageState; count: unknown }>`
        select substr(received_at, 1, 10) as day, state, count(*) as count from messages
        where ${within('received_at', span)} group by 1, 2`,
      );
      return days.sort((a, b) => compare(a.day, b.day) || compare(a.state, b.state));
    },

    countServices: known =>
      sum(
        messageSpans(),
        span => sql<{ service: string | null; count: unknown }>`
        select ${named(known)} as service, count(*) as count from messages
        where ${within('received_at', span)} and state = 'new' group by 1`,
      ),

    async countTimes(receiver) {
      const delivered = (after: string) =>
        db
          .selectFrom('deliveries')
          .select('due_at as at')
          .where('receiver', '=', receiver)
          .where('state', '=', 'delivered')
          .where('due_at', '>', after)
          .orderBy('due_at');
      const ms = dialect === 'sqlite' ? sqliteMs : postgresMs;
      const times = await sum(
        spans(after => nth(delivered(after))),
        span => sql<{ ms: unknown; count: unknown }>`
          select case when ms < 60000 then ms - ms % 100 when ms < 3600000 then ms - ms % 1000
              else ms - ms % 60000 end as ms, count(*) as count
          from (select ${ms} as ms from deliveries where receiver = ${receiver} and state = 'delivered'
            and ${within('due_at', span)} and kind = 'message' and settled_at >= created_at) as taken
          group by 1`,
      );
      return times.map(row => ({ ms: Number(row.ms), count: row.count })).sort((a, b) => a.ms - b.ms);
    },

    async countReaders() {
      const subscribers = (after: string) =>
        db.selectFrom('subscribers').select('id as at').where('id', '>', after).orderBy('id');
      const counted = await sum(
        spans(after => nth(subscribers(after))),
        span => sql<{ day: string; what: 'joined' | 'left'; count: unknown }>`
          select substr(confirmed_at, 1, 10) as day, 'joined' as what, count(*) as count from subscribers
          where ${within('id', span)} and confirmed_at is not null group by 1
          union all
          select substr(coalesce(left_at, suppressed_at, confirmed_at), 1, 10), 'left', count(*) from subscribers
          where ${within('id', span)} and confirmed_at is not null and state <> 'confirmed' group by 1`,
      );
      const days = new Map<string, { day: string; joined: number; left: number }>();
      for (const { day, what, count } of counted) {
        days.set(day, { day, joined: 0, left: 0, ...days.get(day), [what]: count });
      }
      return [...days.values()].sort((a, b) => compare(a.day, b.day));
    },

    async countDead(receivers) {
      const counts: { receiver: string; count: number }[] = [];
      for (const receiver of receivers) counts.push({ receiver, count: (await countStates(receiver)).dead });
      return counts;
    },

    listDead: async (receivers, limit) =>
      (await db
        .selectFrom('deliveries')
        .select(['reference', 'receiver', 'settled_at', 'last_failure'])
        .where('receiver', 'in', [...receivers, ''])
        .where('state', '=', 'dead')
        .where('settled_at', 'is not', null)
        .orderBy('settled_at', 'desc')
        .orderBy('reference')
        .limit(limit)
        .execute()) as DeadDelivery[],

    // One after the other: visitors need the connections more.
    async queues(receivers) {
      const queues: Queue[] = [];
      for (const receiver of receivers) {
        const { waiting, sending, dead } = await countStates(receiver);
        queues.push({ receiver, waiting: waiting + sending, dead, oldest: await findOldest(receiver) });
      }
      return queues;
    },
  };

  async function countStates(receiver: string): Promise<Record<'waiting' | 'sending' | 'dead', number>> {
    const rows = await db
      .selectFrom('deliveries')
      .select(({ fn }) => ['state', fn.countAll().as('count')])
      .where('receiver', '=', receiver)
      .where('state', 'in', ['waiting', 'sending', 'dead'])
      .groupBy('state')
      .execute();
    const counts = Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
    return { waiting: 0, sending: 0, dead: 0, ...counts };
  }

  async function findOldest(receiver: string): Promise<string | undefined> {
    const end = (state: 'waiting' | 'sending', direction: 'asc' | 'desc') =>
      db
        .selectFrom(
          db
            .selectFrom('deliveries')
            .select('created_at')
            .where('receiver', '=', receiver)
            .where('state', '=', state)
            .orderBy('due_at', direction)
            .limit(mostLookedAt)
            .as('looked_at'),
        )
        .select(({ fn }) => fn.min<string | null>('created_at').as('at'));
    const rows = await end('waiting', 'asc')
      .unionAll(end('waiting', 'desc'))
      .unionAll(end('sending', 'asc'))
      .execute();
    return rows
      .map(({ at }) => at)
      .filter(at => at !== null)
      .sort()[0];
  }
}

/** After one value and up to another, which is absent for the last one. */
type Span = { after: string; upTo: string | undefined };

/** Cuts an ordered column into spans of so many rows; rows of one value stay together. */
async function* spans(next: (after: string) => Promise<string | undefined>): AsyncGenerator<Span> {
  let after = '';
  for (;;) {
    const upTo = await next(after);
    yield { after, upTo };
    if (upTo === undefined) return;
    after = upTo;
  }
}

type Ordered = {
  limit(count: number): {
    offset(count: number): { executeTakeFirst(): Promise<{ at: string } | undefined> };
  };
};

function within(column: string, { after, upTo }: Span): RawBuilder<boolean> {
  const from = sql<boolean>`${sql.ref(column)} > ${after}`;
  return upTo === undefined ? from : sql`${from} and ${sql.ref(column)} <= ${upTo}`;
}

/** What a stranger wrote into the field is counted, and goes no further than the database. */
function named(known: readonly string[]): RawBuilder<string | null> {
  const names = sql.join(['', ...known].map(name => sql`${name}`));
  return sql`case when service in (${names}) then service end`;
}

const sqliteMs = sql`cast(round((julianday(settled_at) - julianday(created_at)) * 86400000) as integer)`;
const postgresMs = sql`cast(round(extract(epoch from settled_at::timestamptz - created_at::timestamptz) * 1000) as bigint)`;

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
