import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** `atOnce`: how many may begin together after a pause. */
export type Pace = { perSecond: number; atOnce: number };

/** In ms, by the database's clock, which all processes share. */
type Spread = { usedUntil: number; now: number };

/** How many of those wanted may begin now, over all processes; they count as begun. Locks until the transaction ends. */
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

export async function waitForRoom(db: Kysely<Tables>, receiver: string, pace: Pace): Promise<number> {
  const { rows } = await sql<{ used_until: string; now: number }>`
    select resets_at as used_until, ${now} as now from rate_counts where client = ${nameOf(receiver)}`.execute(
    db,
  );
  return rows[0] ? roomIn(readSpread(rows[0]), pace).waitMs : 0;
}

export function roomIn(
  { usedUntil, now: at }: Spread,
  { perSecond, atOnce }: Pace,
): { room: number; usedMs: number; waitMs: number } {
  const eachMs = 1000 / perSecond;
  const most = Math.max(1, atOnce);
  // A time further ahead, but for a millisecond of rounding, is left from a slower setting.
  const isOfNow = usedUntil - at <= most * eachMs + 1;
  const usedMs = isOfNow ? Math.max(0, usedUntil - at) : 0;
  return {
    room: Math.max(0, Math.floor(most - usedMs / eachMs)),
    usedMs,
    waitMs: Math.max(0, Math.ceil(usedMs - (most - 1) * eachMs)),
  };
}

const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`;

/** A row of the rate limit's table; no client has such a name. */
function nameOf(receiver: string): string {
  return `pace of ${receiver}`;
}

function readSpread(row: { used_until: string; now: number }): Spread {
  return { usedUntil: Date.parse(row.used_until), now: row.now };
}
