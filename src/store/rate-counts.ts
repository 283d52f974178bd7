import { type Kysely, sql } from 'kysely';
import { createGroupCommit } from './group-commit.ts';
import type { Dialect } from './open.ts';
import type { Tables } from './tables.ts';

export type RateCounts = {
  /** Counts one more for each of the clients; how many each has in its window, and when that ends. */
  add(clients: readonly string[], now: string, resetsAt: string): Promise<RateCount[]>;
};

export type RateCount = { count: number; resetsAt: string };

type Counting = { clients: readonly string[]; now: string; resetsAt: string };

/** Counted in the database, so that several processes have one count. Askers that come together are counted together. */
export function createRateCounts(db: Kysely<Tables>, dialect: Dialect): RateCounts {
  let purgeAt = '';
  const add = createGroupCommit<Counting, RateCount[]>(
    async group => {
      const { now, resetsAt } = group[0] as Counting;
      if (now >= purgeAt) {
        purgeAt = resetsAt;
        await purge(db, dialect, now);
      }
      return addGroup(db, group);
    },
    { most: 256, mostWaiting: 10_000, isHopeless: () => true },
  );
  return { add: (clients, now, resetsAt) => add({ clients, now, resetsAt }) };
}

/** Forgets windows that are over. What another process counts at this moment is left to it: neither waits. */
async function purge(db: Kysely<Tables>, dialect: Dialect, now: string): Promise<void> {
  const isOver = db
    .selectFrom('rate_counts')
    .select('client')
    .where('resets_at', '<=', now)
    .$if(dialect === 'postgres', query => query.forUpdate().skipLocked());
  await db.deleteFrom('rate_counts').where('client', 'in', isOver).execute();
}

async function addGroup(db: Kysely<Tables>, group: Counting[]): Promise<RateCount[][]> {
  const { now, resetsAt } = group[0] as Counting;
  const asked = new Map<string, number>();
  for (const client of group.flatMap(({ clients }) => clients)) {
    asked.set(client, (asked.get(client) ?? 0) + 1);
  }
  // In one order everywhere, so that two processes cannot wait for each other in a ring.
  const rows = [...asked].sort().map(([client, count]) => ({ client, count, resets_at: resetsAt }));
  const counted = await db
    .insertInto('rate_counts')
    .values(rows)
    .onConflict(conflict =>
      conflict.column('client').doUpdateSet({
        count: sql<number>`case when rate_counts.resets_at <= ${now} then excluded.count
          else rate_counts.count + excluded.count end`,
        resets_at: sql<string>`case when rate_counts.resets_at <= ${now} then excluded.resets_at
          else rate_counts.resets_at end`,
      }),
    )
    .returningAll()
    .execute();
  const ends = new Map(counted.map(row => [row.client, row]));
  const given = new Map<string, number>();
  return group.map(({ clients }) =>
    clients.map(client => {
      const { count, resets_at } = ends.get(client) as Tables['rate_counts'];
      const place = (given.get(client) ?? 0) + 1;
      given.set(client, place);
      // The first of the group was counted before the last of it.
      return { count: count - (asked.get(client) as number) + place, resetsAt: resets_at };
    }),
  );
}
