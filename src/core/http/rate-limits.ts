import { withTimeout } from '../../lib/with-timeout.ts';
import type { Clock } from '../clock.ts';
import type { HmacSigner } from '../hmac.ts';
import { errorFields, type Log } from '../log.ts';

const minute = 60 * 1000;
const hour = 60 * minute;

/** The most of a key within a window; `isUndone`: what is refused counts for nothing. Generous: an office of hundreds behind one address (NAT) stays far below. */
export const limits = {
  // By the visitor's network: an address or /64, twice as many of a /56, four times of a /48.
  message: { max: 120, windowMs: 10 * minute },
  newsletter: { max: 30, windowMs: 10 * minute },
  audit: { max: 10, windowMs: hour },
  /** Pages of reports, each of which is rendered. */
  report: { max: 120, windowMs: 10 * minute },
  /** Of messages. Their count allows 720 an hour, which stay below it at two full pages each. */
  bytes: { max: 4 * 1024 * 1024, windowMs: hour, isUndone: true },

  // Live audits. One network must not use up what all may have.
  auditNetwork: { max: 6, windowMs: hour, isUndone: true },
  auditTotal: { max: 60, windowMs: hour, isUndone: true },
  /** Names below one registrable domain may all be answered by its servers. */
  auditDomain: { max: 12, windowMs: hour, isUndone: true },
  auditName: { max: 1, windowMs: hour, isUndone: true },
  /** Results erased by their visitors, after each of which the name may be audited again at once. */
  auditErasure: { max: 1, windowMs: hour, isUndone: true },

  // Mail to an address that a visitor entered, counted by its deliveries: a restart forgets none.
  mailbox: { max: 1, windowMs: 24 * hour },
  /** A tenth of the hour's confirmation mails, and enough for a small company that signs up together. */
  recipientDomain: { share: 0.1, min: 5, windowMs: hour },
} as const;

type RateCount = { count: number; resetsAt: string };

export type RateCounts = {
  /** A count below 0 counts as 0, because a window may end before what it counted is taken back. */
  add(clients: readonly string[], now: string, resetsAt: string, amount?: number): Promise<RateCount[]>;
  read(clients: readonly string[], now: string): Promise<number[]>;
};

export type RateBucket = 'message' | 'newsletter' | 'audit' | 'report';

type LimitName = RateBucket | 'bytes' | `audit${'Network' | 'Total' | 'Domain' | 'Name' | 'Erasure'}`;

type Counted = { limit: LimitName; key: string; factor?: number };

type LimiterDeps = {
  counts: RateCounts;
  clock: Clock;
  hmac: Pick<HmacSigner, 'sign'>;
};

/** Over all processes, where they share `counts`. Only keyed hashes are counted. */
function createLimiter({ counts, clock, hmac }: LimiterDeps) {
  const sign = ({ limit, key }: Counted) => hmac.sign(`limit ${limit}`, key);

  async function add(counted: Counted, amount: number): Promise<RateCount> {
    const now = clock.now();
    const resetsAt = new Date(now.getTime() + limits[counted.limit].windowMs).toISOString();
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
  ): Promise<{ limit: LimitName; seconds: number } | undefined> {
    for (const [index, one] of counted.entries()) {
      const rule = limits[one.limit];
      const window = await add(one, amount);
      if (window.count <= rule.max * (one.factor ?? 1)) continue;
      if ('isUndone' in rule) await refund(counted.slice(0, index + 1), amount);
      const seconds = Math.ceil((Date.parse(window.resetsAt) - clock.now().getTime()) / 1000);
      return { limit: one.limit, seconds: Math.max(1, seconds) };
    }
    return undefined;
  }

  return { take, refund };
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/** By the visitor's network. Each answers with the seconds to wait; 0: it is counted. */
export function createRateLimit({ log, ...deps }: LimiterDeps & { log: Log }) {
  const limiter = createLimiter(deps);
  const failOpen = <T>(counting: Promise<T>) =>
    countOrFallback(undefined, counting, log, 'rate limit count failed');
  const take = async (ip: string, limit: LimitName, amount: number) =>
    (await failOpen(limiter.take(listNetworkKeys(ip, limit), amount)))?.seconds ?? 0;

  return {
    consume: (ip: string, bucket: RateBucket): Promise<number> => take(ip, bucket, 1),
    charge: (ip: string, bytes: number): Promise<number> => take(ip, 'bytes', bytes),
    refund: (ip: string, bytes: number): Promise<void> =>
      failOpen(limiter.refund(listNetworkKeys(ip, 'bytes'), bytes)),
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

export type ReachedLimit = { reason: 'too-many' | 'checked-recently'; seconds: number };

/** `network` is the visitor's. */
export type CountedAudit = { name: string; network: string };

export type AuditLimits = ReturnType<typeof createAuditLimits>;

type AuditLimitDeps = LimiterDeps & { getRegistrableDomain(name: string): string };

export function createAuditLimits({ getRegistrableDomain, ...deps }: AuditLimitDeps) {
  const { take, refund } = createLimiter(deps);
  const listShares = (network: string): Counted[] => [
    { limit: 'auditNetwork', key: `network ${network}` },
    { limit: 'auditTotal', key: 'audits' },
  ];
  const getName = (name: string): Counted => ({ limit: 'auditName', key: name });
  const listTargets = (name: string): Counted[] => [
    { limit: 'auditDomain', key: `*.${getRegistrableDomain(name)}` },
    getName(name),
  ];

  return {
    /** Counts a live audit. Otherwise the limit that is reached, and the seconds after which one is possible. */
    async consume({ name, network }: CountedAudit): Promise<ReachedLimit | undefined> {
      // The name last: the job of the request that was counted is there before another is refused.
      const reached = await take([...listShares(network), ...listTargets(name)]);
      if (!reached) return undefined;
      const isShare = reached.limit === 'auditNetwork' || reached.limit === 'auditTotal';
      return { reason: isShare ? 'too-many' : 'checked-recently', seconds: reached.seconds };
    },
    /** For an audit that was counted and visited nothing. */
    refund: ({ name, network }: CountedAudit) => refund([...listTargets(name), ...listShares(network)]),
    /** For an audit without a report: its name may be requested again. */
    refundTarget: ({ name }: Pick<CountedAudit, 'name'>) => refund(listTargets(name)),
    /** For a result of this window that was erased: no visitor can be shown it. */
    async refundErased(name: string): Promise<void> {
      const reached = await take([{ limit: 'auditErasure', key: `erased ${name}` }]);
      if (!reached) await refund([getName(name)]);
    },
  };
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

function listNetworkKeys(ip: string, limit: LimitName): Counted[] {
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
