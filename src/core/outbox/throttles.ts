import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isSqlite } from '../database/query-helpers.ts';
import type { Tables } from '../database/tables.ts';

export type Throttle = { perSecond: number; burst: number };

type ThrottleState = { usedUntil: number; now: number };
type ThrottleRow = { used_until: string; now: number };

/** Returns how many may start now, over all processes, and counts them as started. */
export async function takeCapacity(
  db: Kysely<Tables>,
  receiver: string,
  throttle: Throttle,
  wanted: number,
): Promise<number> {
  const { rows } = await sql<ThrottleRow>`
    insert into throttles (receiver, used_until) values (${receiver}, ${new Date(0).toISOString()})
    on conflict (receiver) do update set used_until = throttles.used_until
    returning used_until, ${selectNow(db)} as now`.execute(db);
  const state = readState(rows[0] as ThrottleRow);
  const { capacity, usedMs } = remainingCapacity(state, throttle);
  const taken = Math.min(wanted, capacity);
  if (taken === 0) return 0;
  const usedUntil = state.now + usedMs + (taken * 1000) / throttle.perSecond;
  await db
    .updateTable('throttles')
    .set({ used_until: new Date(Math.ceil(usedUntil)).toISOString() })
    .where('receiver', '=', receiver)
    .execute();
  return taken;
}

export async function msUntilCapacity(
  db: Kysely<Tables>,
  receiver: string,
  throttle: Throttle,
): Promise<number> {
  const { rows } = await sql<ThrottleRow>`
    select used_until, ${selectNow(db)} as now from throttles where receiver = ${receiver}`.execute(db);
  return rows[0] ? remainingCapacity(readState(rows[0]), throttle).waitMs : 0;
}

function remainingCapacity(
  { usedUntil, now: at }: ThrottleState,
  { perSecond, burst }: Throttle,
): { capacity: number; usedMs: number; waitMs: number } {
  const eachMs = 1000 / perSecond;
  const max = Math.max(1, burst);
  // A time further ahead, but for a millisecond of rounding, is left from a slower setting.
  const isCurrent = usedUntil - at <= max * eachMs + 1;
  const usedMs = isCurrent ? Math.max(0, usedUntil - at) : 0;
  return {
    capacity: Math.max(0, Math.floor(max - usedMs / eachMs)),
    usedMs,
    waitMs: Math.max(0, Math.ceil(usedMs - (max - 1) * eachMs)),
  };
}

function selectNow(db: Kysely<Tables>): RawBuilder<number> {
  return isSqlite(db)
    ? sql`(unixepoch('subsec') * 1000)`
    : sql`(extract(epoch from clock_timestamp()) * 1000)::float8`;
}

function readState(row: ThrottleRow): ThrottleState {
  return { usedUntil: Date.parse(row.used_until), now: row.now };
}
