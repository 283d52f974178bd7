import type { Clock } from '../../lib/clock.ts';
import type { HmacSigner } from '../../lib/hmac.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { listNetworks } from './ip-networks.ts';

export type RateCounts = {
  add(
    clients: readonly string[],
    now: string,
    resetsAt: string,
    amount?: number,
  ): Promise<{ count: number; resetsAt: string }[]>;
  read(clients: readonly string[], now: string): Promise<number[]>;
};

export type RateBucket = keyof typeof rateLimits.perClient;

export type RateLimit = {
  consume(ip: string, bucket: RateBucket): Promise<number>;
  charge(ip: string, bytes: number): Promise<number>;
  refund(ip: string, bytes: number): Promise<void>;
};

/** Generous: an office of hundreds behind one address (NAT) stays far below. */
export const rateLimits = {
  windowMs: {
    message: 10 * 60 * 1000,
    newsletter: 10 * 60 * 1000,
    audit: 60 * 60 * 1000,
    /** Pages of reports, each of which is rendered. */
    report: 10 * 60 * 1000,
  },
  perClient: { message: 120, newsletter: 30, audit: 10, report: 120 },
  /** Message bytes. The count allows 720 messages an hour, which stay below it at two full pages each. */
  budget: { windowMs: 60 * 60 * 1000, bytes: 4 * 1024 * 1024 },
} as const;

/** Fails open: if counting fails or times out, no client is limited. Storing then fails by itself. */
export function countOrFallback<T>(fallback: T, counting: Promise<T>, log: Log, event: string): Promise<T> {
  return withTimeout(1500, counting).catch(error => {
    log.error(event, errorFields(error));
    return fallback;
  });
}

type RateLimitDeps = { counts: Pick<RateCounts, 'add'>; clock: Clock; hmac: HmacSigner; log: Log };

export function createRateLimit({ counts, clock, hmac, log }: RateLimitDeps): RateLimit {
  /** A wider network counts only what the narrower ones let through, so a refused client uses up no neighbour's limit. */
  async function incrementCount(
    ip: string,
    { purpose, max, windowMs, amount, refunds }: Limit,
  ): Promise<number> {
    const now = clock.now();
    const add = (clients: string[], change: number) =>
      counts.add(clients, now.toISOString(), after(now, windowMs), change);
    const counted: string[] = [];
    for (const { name, limitFactor } of listNetworks(ip)) {
      const client = hmac.sign(purpose, name);
      counted.push(client);
      const [window] = await add([client], amount);
      if (!window || window.count <= max * limitFactor) continue;
      if (refunds) await add(counted, -amount);
      return Math.max(1, Math.ceil((Date.parse(window.resetsAt) - now.getTime()) / 1000));
    }
    return 0;
  }

  const failOpen = (counting: Promise<number>) =>
    countOrFallback(0, counting, log, 'rate limit count failed');

  return {
    consume: (ip, bucket) =>
      failOpen(
        incrementCount(ip, {
          purpose: `rate-limit ${bucket}`,
          max: rateLimits.perClient[bucket],
          windowMs: rateLimits.windowMs[bucket],
          amount: 1,
        }),
      ),
    charge(ip, bytes) {
      const { windowMs, bytes: max } = rateLimits.budget;
      return failOpen(
        incrementCount(ip, { purpose: budgetPurpose, max, windowMs, amount: bytes, refunds: true }),
      );
    },
    async refund(ip, bytes) {
      const now = clock.now();
      const clients = listNetworks(ip).map(({ name }) => hmac.sign(budgetPurpose, name));
      const resetsAt = after(now, rateLimits.budget.windowMs);
      await failOpen(counts.add(clients, now.toISOString(), resetsAt, -bytes).then(() => 0));
    },
  };
}

type Limit = {
  purpose: string;
  max: number;
  windowMs: number;
  amount: number;
  refunds?: boolean;
};

const budgetPurpose = 'byte budget';

function after(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}

export const noRateLimit: RateLimit = {
  consume: () => Promise.resolve(0),
  charge: () => Promise.resolve(0),
  refund: () => Promise.resolve(),
};

const purgeEveryMs = 10 * 60 * 1000;

/** For a single process. Beyond `max` clients the least recently counted one is evicted (LRU). */
export function createMemoryCounts(max = Number.POSITIVE_INFINITY): RateCounts {
  const windows = new Map<string, { count: number; resetsAt: string }>();
  let purgeAt = '';

  function purge(now: string): void {
    if (now < purgeAt) return;
    purgeAt = new Date(Date.parse(now) + purgeEveryMs).toISOString();
    for (const [client, window] of windows) if (window.resetsAt <= now) windows.delete(client);
  }

  return {
    async add(clients, now, resetsAt, amount = 1) {
      purge(now);
      return clients.map(client => {
        const known = windows.get(client);
        const window = known && known.resetsAt > now ? known : { count: 0, resetsAt };
        window.count += amount;
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
