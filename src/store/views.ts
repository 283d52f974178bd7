import { type Kysely, sql, type Transaction } from 'kysely';
import type { Dialect } from './open.ts';
import type { Tables, ViewRow } from './tables.ts';

/** How often what was looked at, by day. */
export type Views = {
  /**
   * Adds to what is there, all of it or nothing. A day has at most so many rows: what would be one more is added to the
   * row that `fold` makes of it, of which there are few.
   */
  add(rows: readonly ViewRow[], limit: { most: number; fold(row: ViewRow): ViewRow }): Promise<void>;
  /** Forgets the days before this one; how many rows that were. */
  removeBefore(day: string): Promise<number>;
};

export const viewKey = ['day', 'kind', 'path', 'referrer', 'source', 'medium', 'campaign'] as const;

/** As many as one statement has room for in either database. */
const mostAtOnce = 500;
const lockKey = 7_301_444;

export function createViews(db: Kysely<Tables>, dialect: Dialect): Views {
  return {
    add: (rows, { most, fold }) =>
      db.transaction().execute(async transaction => {
        // One process after the other: none of them finds room that another has just taken.
        if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${lockKey})`.execute(transaction);
        const sums = new Map<string, ViewRow>();
        for (const [day, ofDay] of Map.groupBy(rows, row => row.day)) {
          const known = await listKeys(transaction, day);
          for (const row of ofDay) {
            const isRoom = known.has(nameOf(row)) || known.size < most;
            const kept = isRoom ? row : fold(row);
            if (isRoom) known.add(nameOf(row));
            const sum = sums.get(nameOf(kept));
            sums.set(nameOf(kept), { ...kept, count: row.count + (sum?.count ?? 0) });
          }
        }
        const added = [...sums.values()];
        for (let at = 0; at < added.length; at += mostAtOnce) {
          await addSums(transaction, added.slice(at, at + mostAtOnce));
        }
      }),

    async removeBefore(day) {
      const { numDeletedRows } = await db
        .deleteFrom('views')
        .where('day', '<', day)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

async function listKeys(db: Transaction<Tables>, day: string): Promise<Set<string>> {
  const rows = await db.selectFrom('views').select(viewKey).where('day', '=', day).execute();
  return new Set(rows.map(nameOf));
}

async function addSums(db: Transaction<Tables>, rows: ViewRow[]): Promise<void> {
  await db
    .insertInto('views')
    .values(rows)
    .onConflict(conflict =>
      conflict.columns([...viewKey]).doUpdateSet({ count: sql<number>`views.count + excluded.count` }),
    )
    .execute();
}

function nameOf(row: Omit<ViewRow, 'count'>): string {
  return JSON.stringify(viewKey.map(name => row[name]));
}
