import {
  type Counted,
  createLimiter,
  hour,
  type LimiterDeps,
  minute,
  nameLimits,
} from '../../../core/http/rate-limits.ts';
import { getRegistrableDomain } from '../../../core/network/parse-domain.ts';

export const limits = nameLimits({
  audit: { max: 10, windowMs: hour },
  /** Pages of reports, each of which is rendered. */
  report: { max: 120, windowMs: 10 * minute },

  // Live audits. One network must not use up what all may have.
  auditNetwork: { max: 6, windowMs: hour, isUndone: true },
  auditTotal: { max: 60, windowMs: hour, isUndone: true },
  /** Names below one registrable domain may all be answered by its servers. */
  auditDomain: { max: 12, windowMs: hour, isUndone: true },
  auditName: { max: 1, windowMs: hour, isUndone: true },
  /** Results erased by their visitors, after each of which the name may be audited again at once. */
  auditErasure: { max: 1, windowMs: hour, isUndone: true },
});

export type ReachedLimit = { reason: 'too-many' | 'checked-recently'; seconds: number };

/** `network` is the visitor's. */
export type CountedAudit = { name: string; network: string };

export type AuditLimits = ReturnType<typeof createAuditLimits>;

export function createAuditLimits(deps: LimiterDeps) {
  const { take, refund } = createLimiter(deps);
  const listShares = (network: string): Counted[] => [
    { limit: limits.auditNetwork, key: `network ${network}` },
    { limit: limits.auditTotal, key: 'audits' },
  ];
  const getName = (name: string): Counted => ({ limit: limits.auditName, key: name });
  const listTargets = (name: string): Counted[] => [
    { limit: limits.auditDomain, key: `*.${getRegistrableDomain(name)}` },
    getName(name),
  ];

  return {
    /** Counts a live audit. Otherwise the limit that is reached, and the seconds after which one is possible. */
    async consume({ name, network }: CountedAudit): Promise<ReachedLimit | undefined> {
      // The name last: the job of the request that was counted is there before another is refused.
      const reached = await take([...listShares(network), ...listTargets(name)]);
      if (!reached) return undefined;
      const isShare = reached.limit === limits.auditNetwork || reached.limit === limits.auditTotal;
      return { reason: isShare ? 'too-many' : 'checked-recently', seconds: reached.seconds };
    },
    /** For an audit that was counted and visited nothing. */
    refund: ({ name, network }: CountedAudit) => refund([...listTargets(name), ...listShares(network)]),
    /** For an audit without a report: its name may be requested again. */
    refundTarget: ({ name }: Pick<CountedAudit, 'name'>) => refund(listTargets(name)),
    /** For a result of this window that was erased: no visitor can be shown it. */
    async refundErased(name: string): Promise<void> {
      const reached = await take([{ limit: limits.auditErasure, key: `erased ${name}` }]);
      if (!reached) await refund([getName(name)]);
    },
  };
}
