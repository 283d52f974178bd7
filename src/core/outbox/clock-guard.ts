import { withTimeout } from '../../lib/with-timeout.ts';
import type { Clock } from '../clock.ts';
import type { ClockReading } from '../database/open-store.ts';
import type { Log } from '../log.ts';

export type ClockGuard = ReturnType<typeof createClockGuard>;

const minute = 60_000;
const [maxBehindNewest, maxOffDatabase] = [5 * minute, 2 * minute];
const [cacheMs, timeoutMs] = [1000, 2000];

type ClockGuardDeps = { readClock(): Promise<ClockReading>; clock: Clock; log: Log };

/** Deliveries and scheduled jobs are paused while this process's clock cannot be right. */
export function createClockGuard({ readClock, clock, log }: ClockGuardDeps) {
  let skew: string | undefined;
  let hasDatabaseClock = true;
  let last = { at: -Infinity, answer: Promise.resolve(skew) };

  async function check(): Promise<string | undefined> {
    const reading = await withTimeout(timeoutMs, readClock());
    hasDatabaseClock = reading.databaseTime !== undefined;
    const reason = describeSkew(reading, clock.now().getTime());
    if (reason && !skew) log.warn('deliveries paused', { reason });
    if (!reason && skew) log.info('deliveries resumed');
    skew = reason;
    return reason;
  }

  return {
    describeClockSkew() {
      const at = performance.now();
      if (at - last.at > cacheMs) last = { at, answer: check().catch(() => skew) };
      return last.answer;
    },
    leaseTime: async () =>
      new Date((hasDatabaseClock ? (await readClock()).databaseTime : undefined) ?? clock.now()),
  };
}

function describeSkew({ newestMessage, databaseTime }: ClockReading, now: number): string | undefined {
  const minutes = (ms: number) => `${Math.round(Math.abs(ms) / minute)} minutes`;
  // With a database clock, a message stored by a process with a fast clock does not hold up the others.
  if (databaseTime !== undefined) {
    const off = databaseTime - now;
    if (Math.abs(off) <= maxOffDatabase) return undefined;
    return `the clock is ${minutes(off)} ${off > 0 ? 'behind' : 'ahead of'} the database's`;
  }
  const behind = newestMessage === undefined ? 0 : Date.parse(newestMessage) - now;
  return behind > maxBehindNewest ? `the clock is ${minutes(behind)} behind the newest message` : undefined;
}
