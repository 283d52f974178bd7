import type { Clock } from '../../lib/clock.ts';
import type { HmacSigner } from '../../lib/hmac.ts';
import type { RateCounts } from '../../store/rate-counts.ts';

export const auditLimits = { windowMs: 60 * 60 * 1000, perTarget: 1, total: 60 } as const;

export type AuditLimits = {
  /** Counts a live audit. Otherwise the seconds after which one is possible. */
  consume(domain: string): Promise<number>;
};

type LimitDeps = { counts: Pick<RateCounts, 'add'>; clock: Clock; hmac: Pick<HmacSigner, 'sign'> };

/** Over all processes. A target counts even when its report was deleted, so that deleting does not repeat the visit. */
export function createAuditLimits({ counts, clock, hmac }: LimitDeps): AuditLimits {
  return {
    async consume(domain: string): Promise<number> {
      const now = clock.now();
      const resetsAt = new Date(now.getTime() + auditLimits.windowMs).toISOString();
      const add = async (name: string, max: number, amount = 1) => {
        const counted = hmac.sign('audit limit', name);
        const [window] = await counts.add([counted], now.toISOString(), resetsAt, amount);
        if (!window || window.count <= max) return 0;
        return Math.max(1, Math.ceil((Date.parse(window.resetsAt) - now.getTime()) / 1000));
      };
      const seconds = await add(domain, auditLimits.perTarget);
      if (seconds > 0) return seconds;
      const all = await add('audits', auditLimits.total);
      if (all > 0) await add(domain, auditLimits.perTarget, -1);
      return all;
    },
  };
}

export const noAuditLimits: AuditLimits = { consume: async () => 0 };
