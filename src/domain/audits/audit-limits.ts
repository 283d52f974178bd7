import type { Clock } from '../../lib/clock.ts';
import type { HmacSigner } from '../../lib/hmac.ts';
import type { RateCounts } from '../../store/rate-counts.ts';

export const auditLimits = { windowMs: 60 * 60 * 1000, perTarget: 1, total: 60 } as const;

export type AuditLimits = {
  /** Counts a live audit. Otherwise the seconds after which one is possible. */
  consume(domain: string): Promise<number>;
  /** For an audit that was counted and never started. */
  refund(domain: string): Promise<void>;
  /** For an audit that failed on our side: its domain may be requested again. */
  refundTarget(domain: string): Promise<void>;
};

type LimitDeps = { counts: Pick<RateCounts, 'add'>; clock: Clock; hmac: Pick<HmacSigner, 'sign'> };

/** Over all processes. A target counts even when its report was deleted, so that deleting does not repeat the visit. */
export function createAuditLimits({ counts, clock, hmac }: LimitDeps): AuditLimits {
  async function add(name: string, amount: number) {
    const now = clock.now();
    const resetsAt = new Date(now.getTime() + auditLimits.windowMs).toISOString();
    const counted = hmac.sign('audit limit', name);
    const [window] = await counts.add([counted], now.toISOString(), resetsAt, amount);
    return window;
  }

  async function consume(name: string, max: number): Promise<number> {
    const window = await add(name, 1);
    if (!window || window.count <= max) return 0;
    await add(name, -1);
    return Math.max(1, Math.ceil((Date.parse(window.resetsAt) - clock.now().getTime()) / 1000));
  }

  return {
    // The target last: the job of the request that was counted is there before another is refused.
    async consume(domain) {
      const all = await consume(total, auditLimits.total);
      if (all > 0) return all;
      const seconds = await consume(domain, auditLimits.perTarget);
      if (seconds > 0) await add(total, -1);
      return seconds;
    },
    refundTarget: async domain => void (await add(domain, -1)),
    async refund(domain) {
      await add(domain, -1);
      await add(total, -1);
    },
  };
}

const total = 'audits';

export const noAuditLimits: AuditLimits = {
  consume: async () => 0,
  refund: async () => undefined,
  refundTarget: async () => undefined,
};
