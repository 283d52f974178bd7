import type { TestDatabase } from '../../tests/harness/databases.ts';
import type { Acknowledgement } from './acknowledgements.ts';

export type Figures = {
  sent: number;
  acknowledged: number;
  stored: number;
  /** Arrived at every receiver of the fixture. */
  delivered: number;
  /** Acknowledged, and not stored, or never delivered: what is wrong with each. */
  lost: string[];
  /** Stored more than once, or more than once at a receiver that can be looked up or replaces. */
  repeated: string[];
  /** More than once at a receiver that can do neither; every one carries the same id. */
  repeatedElsewhere: number;
  longestUnavailableMs: number;
};

/** Numbers, as often as they arrived. */
export type Arrivals = { receiver: string; canBeAsked: boolean; numbers: readonly number[] };

export type StoredMessage = { number: number; reference: string; receivers: number };

/** The three sets, by number: what was promised, what is kept, what came through. */
export function compare(
  acknowledged: readonly Acknowledgement[],
  stored: readonly StoredMessage[],
  arrivals: readonly Arrivals[],
): Pick<Figures, 'acknowledged' | 'stored' | 'delivered' | 'lost' | 'repeated' | 'repeatedElsewhere'> {
  const kept = Map.groupBy(stored, ({ number }) => number);
  const counts = arrivals.map(({ numbers }) => countEach(numbers));
  const lost: string[] = [];
  for (const { number, reference } of acknowledged) {
    const rows = kept.get(number) ?? [];
    const isKept = rows.some(one => one.reference === reference);
    const absent = arrivals.filter((_, at) => !counts[at]?.has(number));
    if (!isKept) {
      const how = rows[0] ? `stored as ${rows[0].reference}` : 'not stored';
      lost.push(`${number}: acknowledged as ${reference}, ${how}`);
    } else if (absent.length > 0) {
      lost.push(`${number}: stored, not at ${absent.map(({ receiver }) => receiver).join(', ')}`);
    }
  }
  const repeated = [...kept]
    .filter(([, rows]) => rows.length > 1)
    .map(([number, rows]) => `${number}: stored ${rows.length} times`);
  let repeatedElsewhere = 0;
  for (const [at, { receiver, canBeAsked }] of arrivals.entries()) {
    const often = [...(counts[at] ?? [])].filter(([, count]) => count > 1);
    if (canBeAsked)
      repeated.push(...often.map(([number, count]) => `${number}: ${count} times at ${receiver}`));
    else repeatedElsewhere += often.length;
  }
  const everywhere = [...kept.keys()].filter(number => counts.every(count => count.has(number)));
  return {
    acknowledged: new Set(acknowledged.map(({ number }) => number)).size,
    stored: kept.size,
    delivered: everywhere.length,
    lost,
    repeated,
    repeatedElsewhere,
  };
}

function countEach(numbers: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** What the database itself says of its tables and indexes: undefined, or what it found wrong. */
export async function findCorruption({ env, query }: TestDatabase): Promise<string | undefined> {
  if (!env.DATABASE_URL) {
    const said = (await query('PRAGMA integrity_check'))[0]?.integrity_check;
    return said === 'ok' ? undefined : `the database file is damaged: ${said}`;
  }
  await query('create extension if not exists amcheck');
  // Each index against its table; amcheck throws at the first entry that is missing or out of order.
  const checked = await query(
    `select bt_index_check(index => indexrelid, heapallindexed => true) from pg_index
     where indrelid in ('messages'::regclass, 'deliveries'::regclass)`,
  );
  return checked.length > 0 ? undefined : 'no index was checked';
}
