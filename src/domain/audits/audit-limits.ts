import type { Clock } from '../../lib/clock.ts';
import type { HmacSigner } from '../../lib/hmac.ts';
import type { RateCounts } from '../../store/rate-counts.ts';

/** Live audits within the window. One network must not use up what all may have. */
export const auditLimits = {
  windowMs: 60 * 60 * 1000,
  perName: 1,
  perDomain: 12,
  perNetwork: 6,
  total: 60,
  /** Results erased by their visitors, after each of which the name may be audited again at once. */
  erasuresPerName: 1,
} as const;

export type ReachedLimit = { reason: 'too-many' | 'checked-recently'; seconds: number };

/** `network` is the visitor's. */
export type CountedAudit = { name: string; network: string };

export type AuditLimits = {
  /** Counts a live audit. Otherwise the limit that is reached, and the seconds after which one is possible. */
  consume(audit: CountedAudit): Promise<ReachedLimit | undefined>;
  /** For an audit that was counted and visited nothing. */
  refund(audit: CountedAudit): Promise<void>;
  /** For an audit without a report: its name may be requested again. */
  refundTarget(audit: Pick<CountedAudit, 'name'>): Promise<void>;
  /** For a result of this window that was erased: no visitor can be shown it. */
  refundErased(name: string): Promise<void>;
};

type LimitDeps = {
  counts: Pick<RateCounts, 'add' | 'read'>;
  clock: Clock;
  hmac: Pick<HmacSigner, 'sign'>;
  /** Names below it may all be answered by its servers. */
  getRegistrableDomain(name: string): string;
};

/** What is counted, with the most that an hour may have. */
type Counted = Readonly<Record<string, number>>;

/** Over all processes. */
export function createAuditLimits({ counts, clock, hmac, getRegistrableDomain }: LimitDeps): AuditLimits {
  const listTargets = (name: string): Counted => ({
    [name]: auditLimits.perName,
    [`*.${getRegistrableDomain(name)}`]: auditLimits.perDomain,
  });
  const listShares = (network: string): Counted => ({
    [`network ${network}`]: auditLimits.perNetwork,
    audits: auditLimits.total,
  });

  function add(counted: Counted, amount: number) {
    const now = clock.now();
    const resetsAt = new Date(now.getTime() + auditLimits.windowMs).toISOString();
    return counts.add(Object.keys(counted).map(sign), now.toISOString(), resetsAt, amount);
  }

  function sign(name: string): string {
    return hmac.sign('audit limit', name);
  }

  /** Their windows may have ended meanwhile: a count below 0 would allow more in the next. */
  async function refund(counted: Counted): Promise<void> {
    const current = await counts.read(Object.keys(counted).map(sign), clock.now().toISOString());
    const left = Object.entries(counted).filter((_, at) => (current[at] ?? 0) > 0);
    if (left.length > 0) await add(Object.fromEntries(left), -1);
  }

  async function consume(counted: Counted): Promise<number> {
    const windows = await add(counted, 1);
    const reached = windows.filter(({ count }, at) => count > (Object.values(counted)[at] ?? 0));
    if (reached.length === 0) return 0;
    await add(counted, -1);
    const ends = Math.max(...reached.map(({ resetsAt }) => Date.parse(resetsAt)));
    return Math.max(1, Math.ceil((ends - clock.now().getTime()) / 1000));
  }

  return {
    // The target last: the job of the request that was counted is there before another is refused.
    async consume({ name, network }) {
      const ofShares = await consume(listShares(network));
      if (ofShares > 0) return { reason: 'too-many', seconds: ofShares };
      const ofTarget = await consume(listTargets(name));
      if (ofTarget === 0) return undefined;
      await add(listShares(network), -1);
      return { reason: 'checked-recently', seconds: ofTarget };
    },
    refundTarget: ({ name }) => refund(listTargets(name)),
    refund: ({ name, network }) => refund({ ...listTargets(name), ...listShares(network) }),
    async refundErased(name) {
      if ((await consume({ [`erased ${name}`]: auditLimits.erasuresPerName })) > 0) return;
      await refund({ [name]: auditLimits.perName });
    },
  };
}

export const noAuditLimits: AuditLimits = {
  consume: async () => undefined,
  refund: async () => undefined,
  refundTarget: async () => undefined,
  refundErased: async () => undefined,
};
