import { type Kysely, sql } from 'kysely';
import { createGroupCommit } from './group-commit.ts';
import { isSqlite } from './query-helpers.ts';
import type { Tables } from './tables.ts';

type RateCount = { count: number; resetsAt: string };

type Reading = { clients: readonly string[]; now: string };
type Counting = Reading & { resetsAt: string; amount: number };

const groups = { maxGroupSize: 256, maxWaiting: 10_000, isFatalDatabaseError: () => true };
const purgeEveryMs = 10 * 60 * 1000;

export function createRateCounts(db: Kysely<Tables>) {
  let purgeAt = '';
  const counting = createGroupCommit<Counting, RateCount[]>(async group => {
    const { now } = group[0] as Counting;
    if (now >= purgeAt) {
      purgeAt = new Date(Date.parse(now) + purgeEveryMs).toISOString();
      await purge(db, now);
    }
    return addGroup(db, group);
  }, groups);
  const reading = createGroupCommit<Reading, number[]>(group => readGroup(db, group), groups);
  return {
    add: (clients: readonly string[], now: string, resetsAt: string, amount = 1) =>
      counting.add({ clients, now, resetsAt, amount }),
    read: (clients: readonly string[], now: string) => reading.add({ clients, now }),
  };
}

/** Skips locked rows: neither process waits for the other. */
async function purge(db: Kysely<Tables>, now: string): Promise<void> {
  const isOver = db
    .selectFrom('rate_counts')
    .select('client')
    .where('resets_at', '<=', now)
    .$if(!isSqlite(db), query => query.forUpdate().skipLocked());
  await db.deleteFrom('rate_counts').where('client', 'in', isOver).execute();
}

async function readGroup(db: Kysely<Tables>, group: Reading[]): Promise<number[][]> {
  const { now } = group[0] as Reading;
  const rows = await db
    .selectFrom('rate_counts')
    .select(['client', 'count'])
    .where('client', 'in', [...new Set(group.flatMap(({ clients }) => clients))])
    .where('resets_at', '>', now)
    .execute();
  const counts = new Map(rows.map(({ client, count }) => [client, Math.max(0, count)]));
  return group.map(({ clients }) => clients.map(client => counts.get(client) ?? 0));
}

async function addGroup(db: Kysely<Tables>, group: Counting[]): Promise<RateCount[][]> {
  const { now } = group[0] as Counting;
  const totals = new Map<string, RateCount>();
  for (const { clients, resetsAt, amount } of group) {
    for (const client of clients) {
      totals.set(client, {
        resetsAt,
        ...totals.get(client),
        count: (totals.get(client)?.count ?? 0) + amount,
      });
    }
  }
  // All processes lock the rows in this order, so that two processes cannot deadlock.
  const rows = [...totals.keys()].sort().map(client => {
    const { count, resetsAt } = totals.get(client) as RateCount;
    return { client, count, resets_at: resetsAt };
  });
  const counted = await db
    .insertInto('rate_counts')
    .values(rows)
    .onConflict(conflict =>
      conflict.column('client').doUpdateSet({
        count: sql<number>`case when rate_counts.resets_at <= ${now} or rate_counts.count < 0 then excluded.count
          else rate_counts.count + excluded.count end`,
        resets_at: sql<string>`case when rate_counts.resets_at <= ${now} then excluded.resets_at
          else rate_counts.resets_at end`,
      }),
    )
    .returningAll()
    .execute();
  const ends = new Map(counted.map(row => [row.client, row]));
  const assigned = new Map<string, number>();
  return group.map(({ clients, amount }) =>
    clients.map(client => {
      const { count, resets_at } = ends.get(client) as Tables['rate_counts'];
      const place = (assigned.get(client) ?? 0) + amount;
      assigned.set(client, place);
      return { count: count - (totals.get(client) as RateCount).count + place, resetsAt: resets_at };
    }),
  );
}
