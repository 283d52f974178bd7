import { withTimeout } from '../../lib/with-timeout.ts';
import type { Clock } from '../clock.ts';
import type { HmacSigner } from '../hmac.ts';
import { errorFields, type Log } from '../log.ts';

export const minute = 60 * 1000;
export const hour = 60 * minute;

type Rule = {
  /** Within a window. Generous: an office of hundreds behind one address (NAT) stays far below. */
  max: number;
  windowMs: number;
  /** What is refused counts for nothing. */
  isUndone?: true;
};

export type Limit = Rule & { name: string };

export function nameLimits<const Rules extends Record<string, Rule>>(rules: Rules) {
  const named = Object.entries(rules).map(([name, rule]) => [name, { ...rule, name }]);
  return Object.fromEntries(named) as Record<keyof Rules, Limit>;
}

type RateCount = { count: number; resetsAt: string };

export type RateCounts = {
  /** A count below 0 counts as 0, because a window may end before what it counted is taken back. */
  add(clients: readonly string[], now: string, resetsAt: string, amount?: number): Promise<RateCount[]>;
  read(clients: readonly string[], now: string): Promise<number[]>;
};

export type Counted = { limit: Limit; key: string; factor?: number };

export type LimiterDeps = {
  counts: RateCounts;
  clock: Clock;
  hmac: Pick<HmacSigner, 'sign'>;
};

/** Over all processes, where they share `counts`. Only keyed hashes are counted. */
export function createLimiter({ counts, clock, hmac }: LimiterDeps) {
  const sign = ({ limit, key }: Counted) => hmac.sign(`limit ${limit.name}`, key);

  async function add(counted: Counted, amount: number): Promise<RateCount> {
    const now = clock.now();
    const resetsAt = new Date(now.getTime() + counted.limit.windowMs).toISOString();
    const [window] = await counts.add([sign(counted)], now.toISOString(), resetsAt, amount);
    return window ?? { count: 0, resetsAt };
  }

  async function refund(counted: readonly Counted[], amount = 1): Promise<void> {
    await Promise.all(counted.map(one => add(one, -amount)));
  }

  /** Counts one key after the other: what one refuses uses up no limit of the next. */
  async function take(
    counted: readonly Counted[],
    amount = 1,
  ): Promise<{ limit: Limit; seconds: number } | undefined> {
    for (const [index, one] of counted.entries()) {
      const { max, isUndone } = one.limit;
      const window = await add(one, amount);
      if (window.count <= max * (one.factor ?? 1)) continue;
      if (isUndone) await refund(counted.slice(0, index + 1), amount);
      const seconds = Math.ceil((Date.parse(window.resetsAt) - clock.now().getTime()) / 1000);
      return { limit: one.limit, seconds: Math.max(1, seconds) };
    }
    return undefined;
  }

  return { take, refund };
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/** By the visitor's network: an address or /64, twice as many of a /56, four times of a /48. */
export function createRateLimit({ log, ...deps }: LimiterDeps & { log: Log }) {
  const limiter = createLimiter(deps);
  const failOpen = <T>(counting: Promise<T>) =>
    countOrFallback(undefined, counting, log, 'rate limit count failed');

  return {
    /** Answers with the seconds to wait; 0: it is counted. */
    consume: async (ip: string, limit: Limit, amount = 1): Promise<number> =>
      (await failOpen(limiter.take(listNetworkKeys(ip, limit), amount)))?.seconds ?? 0,
    refund: (ip: string, limit: Limit, amount: number): Promise<void> =>
      failOpen(limiter.refund(listNetworkKeys(ip, limit), amount)),
  };
}

/** Fails open: if counting fails or times out, no client is limited. Storing then fails by itself. */
export function countOrFallback<T, Fallback>(
  fallback: Fallback,
  counting: Promise<T>,
  log: Log,
  event: string,
): Promise<T | Fallback> {
  return withTimeout(1500, counting).catch(error => {
    log.error(event, errorFields(error));
    return fallback;
  });
}

type Network = { name: string; limitFactor: number };

/** The narrowest first: an IPv4 address, or an IPv6 /64 with its /56 (a household's) and /48 (a company's). */
export function listNetworks(ip: string): Network[] {
  const [a, b, c, d] = /^([\da-f]+):([\da-f]+):([\da-f]+):([\da-f]+)\/64$/.exec(ip)?.slice(1) ?? [];
  if (d === undefined) return [{ name: ip, limitFactor: 1 }];
  const upper = (Number.parseInt(d, 16) >> 8).toString(16);
  return [
    { name: ip, limitFactor: 1 },
    { name: `${a}:${b}:${c}:${upper}/56`, limitFactor: 2 },
    { name: `${a}:${b}:${c}/48`, limitFactor: 4 },
  ];
}

/** The widest network that one party usually holds: an IPv6 /48, or an IPv4 /24. */
export function widestNetwork(ip: string): string {
  const [, block] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(ip) ?? [];
  return block ? `${block}.0/24` : (listNetworks(ip).at(-1)?.name ?? '');
}

function listNetworkKeys(ip: string, limit: Limit): Counted[] {
  return listNetworks(ip).map(({ name, limitFactor }) => ({ limit, key: name, factor: limitFactor }));
}

/** Where nothing is limited. */
export const noCounts: RateCounts = {
  add: async (clients, _, resetsAt) => clients.map(() => ({ count: 0, resetsAt })),
  read: async clients => clients.map(() => 0),
};

const purgeEveryMs = 10 * minute;

/** For a single process. Beyond `max` clients the least recently counted one is evicted (LRU). */
export function createMemoryCounts(max = Number.POSITIVE_INFINITY): RateCounts {
  const windows = new Map<string, RateCount>();
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
        window.count = Math.max(0, window.count) + amount;
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
      return known.map(window => (window && window.resetsAt > now ? Math.max(0, window.count) : 0));
    },
  };
}
