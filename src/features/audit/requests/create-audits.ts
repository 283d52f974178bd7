import type { Config } from '../../../apps/server/config.ts';
import type { Store } from '../../../core/database/open-store.ts';
import type { Ids } from '../../../core/ids.ts';
import { errorFields, type Log } from '../../../core/log.ts';
import { getRegistrableDomain, isWithin, parseDomain } from '../../../core/network/parse-domain.ts';
import { createAuditQueue } from './audit-queue.ts';
import type { AuditRunner } from './audit-runner.ts';
import type { AuditTargets, StoredProgress } from './request-audit.ts';
import { storeReport } from './store-report.ts';

type AuditServiceDeps = { store: Pick<Store, 'audits'>; ids: Ids; log: Log; runner: AuditRunner };

/** The audits of this process. With AUDIT=off there is no queue: links to earlier reports go on until they expire. */
export function createAudits(config: Config, { store, ids, log, runner }: AuditServiceDeps) {
  const { audits } = store;
  const queue = config.audit.isOn
    ? createAuditQueue<StoredProgress>({
        run: domain => storeReport({ audits, ids }, runner.run(domain)),
        // Without the domain: no line holds what a visitor typed.
        onEnd({ ms, error }) {
          if (error === undefined) log.info('audit ended', { ms: Math.round(ms) });
          else log.error('audit failed', { ms: Math.round(ms), ...errorFields(error) });
        },
      })
    : undefined;
  return {
    queue,
    targets: createTargets(listDenied(config)),
    /** The first visitor waits no longer than the others. */
    prepare: () => queue && runner.prepare(),
    async stop(): Promise<void> {
      queue?.stop();
      await runner.close();
    },
  };
}

/** Our own names too, to which a redirect or an MX record may lead: their servers may trust this machine's address. */
export function listDenied({ audit, siteUrl }: Pick<Config, 'audit' | 'siteUrl'>): string[] {
  const ownHost = siteUrl && new URL(siteUrl).hostname;
  return [...audit.deny, ...(ownHost ? [getRegistrableDomain(ownHost)] : [])];
}

function createTargets(denied: readonly string[]): AuditTargets {
  return {
    parse: parseDomain,
    isOffered: domain => !isWithin(domain, denied),
  };
}
