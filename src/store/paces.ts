import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** So many a second, and so many together when none has begun for a while. */
export type Pace = { perSecond: number; atOnce: number };

/** Until when what has begun is spread out, and what time it is by the one clock that all processes share; in ms. */
type Spread = { usedUntil: number; now: number };

/**
 * How many of those wanted may begin now, whatever the number of processes that ask: they count as begun. Whoever asks next
 * waits until this transaction has ended.
 */
export async function takeRoom(
  db: Kysely<Tables>,
  receiver: string,
  pace: Pace,
  wanted: number,
): Promise<number> {
  const { rows } = await sql<{ used_until: string; now: number }>`
    insert into rate_counts (client, count, resets_at) values (${nameOf(receiver)}, 0, ${new Date(0).toISOString()})
    on conflict (client) do update set count = rate_counts.count
    returning resets_at as used_until, ${now} as now`.execute(db);
  const found = readSpread(rows[0] as (typeof rows)[0]);
  const taken = Math.min(wanted, roomIn(found, pace).room);
  if (taken === 0) return 0;
  const usedUntil = found.now + roomIn(found, pace).usedMs + (taken * 1000) / pace.perSecond;
  await db
    .updateTable('rate_counts')
    .set({ resets_at: new Date(Math.ceil(usedUntil)).toISOString() })
    .where('client', '=', nameOf(receiver))
    .execute();
  return taken;
}

/** How long until one more may begin; 0 when it may now. */
export async function waitForRoom(db: Kysely<Tables>, receiver: string, pace: Pace): Promise<number> {
  const { rows } = await sql<{ used_until: string; now: number }>`
    select resets_at as used_until, ${now} as now from rate_counts where client = ${nameOf(receiver)}`.execute(
    db,
  );
  return rows[0] ? roomIn(readSpread(rows[0]), pace).waitMs : 0;
}

/** What has begun lately uses up the room for as long as it takes at this pace. */
export function roomIn(
  { usedUntil, now: at }: Spread,
  { perSecond, atOnce }: Pace,
): { room: number; usedMs: number; waitMs: number } {
  const eachMs = 1000 / perSecond;
  const most = Math.max(1, atOnce);
  // Further ahead than that, and the millisecond it was rounded up by, lies only what an older setting or clock has left.
  const isOfNow = usedUntil - at <= most * eachMs + 1;
  const usedMs = isOfNow ? Math.max(0, usedUntil - at) : 0;
  return {
    room: Math.max(0, Math.floor(most - usedMs / eachMs)),
    usedMs,
    waitMs: Math.max(0, Math.ceil(usedMs - (most - 1) * eachMs)),
  };
}

const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`;

/** Among the counts of clients, whose names are none of these. */
function nameOf(receiver: string): string {
  return `pace of ${receiver}`;
}

function readSpread(row: { used_until: string; now: number }): Spread {
  return { usedUntil: Date.parse(row.used_until), now: row.now };
}
