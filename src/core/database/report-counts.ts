import { type Kysely, sql } from 'kysely';
import { isSqlite } from './query-helpers.ts';
import type { Tables } from './tables.ts';

export type ReportCounts = ReturnType<typeof createReportCounts>;

/** `count` of them took `seconds`. */
export type CountedTime = { seconds: number; count: number };

type Queue = { receiver: string; waiting: number; oldest: string | undefined; failed: number };

/** A long queue is searched at both ends: untried deliveries come first, failed ones last. */
const maxScanned = 1000;

/** Such as 2026-11-17, of a time in UTC. */
function dayOf(column: string) {
  return sql<string>`substr(${sql.ref(column)}, 1, 10)`;
}

export function createReportCounts(db: Kysely<Tables>) {
  return {
    ...createMessageCounts(db),
    ...createDeliveryCounts(db),
    countSubscriberChanges: () => countSubscriberChanges(db),
    countQueues: (receivers: readonly string[]) => countQueues(db, receivers),
  };
}

function createMessageCounts(db: Kysely<Tables>) {
  return {
    async countMessages(from: string, before: string) {
      const rows = await db
        .selectFrom('messages')
        .select(({ fn }) => ['state', dayOf('received_at').as('day'), fn.countAll().as('count')])
        .where('received_at', '>=', from)
        .where('received_at', '<', before)
        .groupBy(['state', 'day'])
        .execute();
      return rows.map(row => ({ ...row, count: Number(row.count) }));
    },

    countAnswerTimes: (from: string, before: string): Promise<CountedTime[]> =>
      db
        .selectFrom('messages')
        .select(({ fn }) => [
          measureSeconds(db, 'received_at', 'answered_at').as('seconds'),
          fn.countAll<number>().as('count'),
        ])
        .where('received_at', '>=', from)
        .where('received_at', '<', before)
        .where('state', 'in', ['answered', 'closed'])
        .where('answered_at', 'is not', null)
        .groupBy('seconds')
        .execute()
        .then(toNumbers),
  };
}

function createDeliveryCounts(db: Kysely<Tables>) {
  return {
    /** Deliveries that were tried and not taken since then, the newest last. Attempts are kept of messages alone. */
    async listRefused(receiver: string, since = ''): Promise<{ at: string; reason: string }[]> {
      const at = sql<string>`coalesce(settled_at, (select max(ended_at) from attempts
        where attempts.reference = deliveries.reference and attempts.receiver = deliveries.receiver), created_at)`;
      const rows = await db
        .selectFrom('deliveries')
        .select([at.as('at'), 'last_failure as reason'])
        .where('receiver', '=', receiver)
        .where('state', 'in', ['waiting', 'failed'])
        .where('attempts', '>', 0)
        .where('last_failure', '!=', '')
        .where(at, '>', since)
        .orderBy('due_at', 'desc')
        .limit(maxScanned)
        .execute();
      return rows.toSorted((a, b) => (a.at < b.at ? -1 : 1));
    },

    /** Of the latest due ones: an index has them in this order. */
    async findLastDelivered(receiver: string): Promise<string | undefined> {
      const latest = db
        .selectFrom('deliveries')
        .select('settled_at')
        .where('receiver', '=', receiver)
        .where('state', '=', 'delivered')
        .orderBy('due_at', 'desc')
        .limit(maxScanned)
        .as('latest');
      const row = await db
        .selectFrom(latest)
        .select(({ fn }) => fn.max<string | null>('settled_at').as('at'))
        .executeTakeFirst();
      return row?.at ?? undefined;
    },

    async countFailures(receivers: readonly string[], from: string, before: string) {
      const rows = await db
        .selectFrom('deliveries')
        .select(({ fn }) => ['receiver', dayOf('settled_at').as('day'), fn.countAll().as('count')])
        // By name, because an index has the receiver before the state.
        .where('receiver', 'in', receivers)
        .where('state', '=', 'failed')
        .where('settled_at', '>=', from)
        .where('settled_at', '<', before)
        .groupBy(['receiver', 'day'])
        .execute();
      return rows.map(row => ({ ...row, count: Number(row.count) }));
    },
  };
}

async function countSubscriberChanges(db: Kysely<Tables>) {
  const { rows } = await sql<{ day: string; change: 'confirmed' | 'ended'; count: unknown }>`
    select substr(confirmed_at, 1, 10) as day, 'confirmed' as change, count(*) as count
    from subscribers where confirmed_at is not null group by 1
    union all
    select substr(coalesce(unsubscribed_at, suppressed_at, confirmed_at), 1, 10), 'ended', count(*)
    from subscribers where confirmed_at is not null and state <> 'confirmed' group by 1`.execute(db);
  return rows.map(row => ({ ...row, count: Number(row.count) }));
}

// In sequence, so that visitors' requests find free connections.
async function countQueues(db: Kysely<Tables>, receivers: readonly string[]): Promise<Queue[]> {
  const queues: Queue[] = [];
  for (const receiver of receivers) {
    const { waiting, sending, failed } = await countStates(db, receiver);
    queues.push({ receiver, waiting: waiting + sending, failed, oldest: await findOldest(db, receiver) });
  }
  return queues;
}

/** To a tenth: at most so many rows leave the database as there are different times. */
function measureSeconds(db: Kysely<Tables>, start: string, end: string) {
  const [from, to] = [sql.ref(start), sql.ref(end)];
  return isSqlite(db)
    ? sql<number>`round((julianday(${to}) - julianday(${from})) * 864000) / 10`
    : sql<number>`round(extract(epoch from ${to}::timestamptz - ${from}::timestamptz) * 10) / 10`;
}

async function countStates(
  db: Kysely<Tables>,
  receiver: string,
): Promise<Record<'waiting' | 'sending' | 'failed', number>> {
  const rows = await db
    .selectFrom('deliveries')
    .select(({ fn }) => ['state', fn.countAll().as('count')])
    .where('receiver', '=', receiver)
    .where('state', 'in', ['waiting', 'sending', 'failed'])
    .groupBy('state')
    .execute();
  const counts = Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
  return { waiting: 0, sending: 0, failed: 0, ...counts };
}

async function findOldest(db: Kysely<Tables>, receiver: string): Promise<string | undefined> {
  const end = (state: 'waiting' | 'sending', direction: 'asc' | 'desc') =>
    db
      .selectFrom(
        db
          .selectFrom('deliveries')
          .select('created_at')
          .where('receiver', '=', receiver)
          .where('state', '=', state)
          .orderBy('due_at', direction)
          .limit(maxScanned)
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

/** The clock may have been set back between the two times. */
function toNumbers(rows: CountedTime[]): CountedTime[] {
  return rows
    .map(({ seconds, count }) => ({ seconds: Number(seconds), count: Number(count) }))
    .filter(({ seconds }) => seconds >= 0);
}
