import type { Clock } from '../../lib/clock.ts';
import type { HmacSigner } from '../../lib/hmac.ts';
import type { RateCounts } from '../../store/rate-counts.ts';

export const auditLimits = { windowMs: 60 * 60 * 1000, perName: 1, perDomain: 3, total: 60 } as const;

export type ReachedLimit = { reason: 'too-many' | 'checked-recently'; seconds: number };

export type AuditLimits = {
  /** Counts a live audit. Otherwise the limit that is reached, and the seconds after which one is possible. */
  consume(name: string): Promise<ReachedLimit | undefined>;
  /** For an audit that was counted and never started. */
  refund(name: string): Promise<void>;
  /** For an audit without a report: its name may be requested again. */
  refundTarget(name: string): Promise<void>;
};

type LimitDeps = {
  counts: Pick<RateCounts, 'add'>;
  clock: Clock;
  hmac: Pick<HmacSigner, 'sign'>;
  /** Names below it may all be answered by its servers. */
  getRegistrableDomain(name: string): string;
};

/** What is counted, with the most that an hour may have. */
type Counted = Readonly<Record<string, number>>;

const all: Counted = { audits: auditLimits.total };

/** Over all processes. A target counts even when its report was deleted, so that deleting does not repeat the visit. */
export function createAuditLimits({ counts, clock, hmac, getRegistrableDomain }: LimitDeps): AuditLimits {
  const listTargets = (name: string): Counted => ({
    [name]: auditLimits.perName,
    [`*.${getRegistrableDomain(name)}`]: auditLimits.perDomain,
  });

  function add(counted: Counted, amount: number) {
    const now = clock.now();
    const resetsAt = new Date(now.getTime() + auditLimits.windowMs).toISOString();
    const keys = Object.keys(counted).map(name => hmac.sign('audit limit', name));
    return counts.add(keys, now.toISOString(), resetsAt, amount);
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
    async consume(name) {
      const ofAll = await consume(all);
      if (ofAll > 0) return { reason: 'too-many', seconds: ofAll };
      const ofTarget = await consume(listTargets(name));
      if (ofTarget === 0) return undefined;
      await add(all, -1);
      return { reason: 'checked-recently', seconds: ofTarget };
    },
    refundTarget: async name => void (await add(listTargets(name), -1)),
    refund: async name => void (await add({ ...listTargets(name), ...all }, -1)),
  };
}

export const noAuditLimits: AuditLimits = {
  consume: async () => undefined,
  refund: async () => undefined,
  refundTarget: async () => undefined,
};
