import { type Clock, within } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import { errorFields, type Log } from '../../lib/log.ts';

/** In memory, or in a database that several processes share. */
export type Counts = {
  /** Counts one more for each client. */
  add(
    clients: readonly string[],
    now: string,
    resetsAt: string,
  ): Promise<{ count: number; resetsAt: string }[]>;
  /** How many each client has; none when its window is over. */
  read(clients: readonly string[], now: string): Promise<number[]>;
};

/** What is asked for is counted apart: whoever wrote many messages may still ask for the newsletter. */
export type RateBucket = 'message' | 'newsletter' | 'view';

export type RateLimit = {
  /** Seconds to wait, or 0 when the client may go on. */
  secondsToWait(address: string, bucket: RateBucket): Promise<number>;
};

/**
 * An office of hundreds behind one address stays far below the first. Requests for the newsletter wait in one line under
 * NEWSLETTER_CEILING: one network alone must not ask for more than leaves.
 */
export const rateLimits = {
  windowMs: 10 * 60 * 1000,
  perClient: { message: 120, newsletter: 30, view: 1200 },
} as const;

/** Counting must not keep a visitor from being answered. */
const countWithinMs = 1500;

type RateLimitDeps = { counts: Pick<Counts, 'add'>; clock: Clock; keys: Keys; log: Log };

export function createRateLimit({ counts, clock, keys, log }: RateLimitDeps): RateLimit {
  async function count(client: string): Promise<{ count: number; waitMs: number }> {
    const now = clock.now();
    const resetsAt = new Date(now.getTime() + rateLimits.windowMs).toISOString();
    try {
      const [counted] = await within(countWithinMs, counts.add([client], now.toISOString(), resetsAt));
      if (!counted) return { count: 0, waitMs: 0 };
      return { count: counted.count, waitMs: Date.parse(counted.resetsAt) - now.getTime() };
    } catch (error) {
      // Whoever cannot count turns nobody away. A database that is gone will refuse the message itself.
      log.error('requests not counted', errorFields(error));
      return { count: 0, waitMs: 0 };
    }
  }

  return {
    async secondsToWait(address, bucket) {
      // An address is personal data: only its keyed hash is ever kept.
      const { count: asked, waitMs } = await count(keys.sign(`rate-limit ${bucket}`, address));
      return asked > rateLimits.perClient[bucket] ? Math.max(1, Math.ceil(waitMs / 1000)) : 0;
    },
  };
}

export const noRateLimit: RateLimit = {
  secondsToWait: () => Promise.resolve(0),
};

/** Windows that are over are looked for this often, whatever their length. */
const purgeEveryMs = 10 * 60 * 1000;

/** For a process that is alone. Beyond `max` clients it forgets the one that was counted longest ago. */
export function createMemoryCounts(max = Number.POSITIVE_INFINITY): Counts {
  const windows = new Map<string, { count: number; resetsAt: string }>();
  let purgeAt = '';

  function purge(now: string): void {
    if (now < purgeAt) return;
    purgeAt = new Date(Date.parse(now) + purgeEveryMs).toISOString();
    for (const [client, window] of windows) if (window.resetsAt <= now) windows.delete(client);
  }

  return {
    async add(clients, now, resetsAt) {
      purge(now);
      return clients.map(client => {
        const known = windows.get(client);
        const window = known && known.resetsAt > now ? known : { count: 0, resetsAt };
        window.count += 1;
        // Deleted first, so that the map stays in the order in which clients were last counted.
        windows.delete(client);
        windows.set(client, window);
        for (const oldest of windows.keys()) {
          if (windows.size <= max) break;
          windows.delete(oldest);
        }
        return { ...window };
      });
    },
    async read(clients, now) {
      const known = clients.map(client => windows.get(client));
      return known.map(window => (window && window.resetsAt > now ? window.count : 0));
    },
  };
}
