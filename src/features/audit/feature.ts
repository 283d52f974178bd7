import type { Core, Feature, StartedFeature } from '../../core/feature.ts';
import type { Endpoint } from '../../core/http/endpoint.ts';
import { headerSettings } from '../../core/http/headers.ts';
import { errorFields } from '../../core/log.ts';
import { postAudit } from './api/audit.ts';
import { type AuditPageDeps, getReportPage, postAuditForm, postReport } from './api/audit-pages.ts';
import { auditSettings } from './audit-settings.ts';
import { auditApiPath, auditPaths } from './contract.ts';
import { auditCounter, auditGauges } from './counters.ts';
import { createMessageContext } from './message-context.ts';
import { createAuditLimits } from './requests/audit-limits.ts';
import { createAuditPages } from './requests/audit-pages.ts';
import { createAuditQueue } from './requests/audit-queue.ts';
import { type AuditRunner, createAuditRunner, findAuditProgram } from './requests/audit-runner.ts';
import { createTargets, listDenied } from './requests/audit-targets.ts';
import { type Audits, createAudits } from './requests/audits.ts';
import type { StoredProgress } from './requests/request-audit.ts';
import { storeReport } from './requests/store-report.ts';

export type StartedAudit = StartedFeature & AuditPageDeps & { audits: Audits };

const endpoints: readonly Endpoint<StartedAudit>[] = [
  { path: auditApiPath, kind: 'audit', post: postAudit },
  { path: auditPaths.page, kind: 'audit', hasPage: true, post: postAuditForm },
  { path: `${auditPaths.report}/:token`, kind: 'audit', get: getReportPage, post: postReport },
];

export const audit = createAuditFeature();

/** The runner connects to the domains that visitors enter. */
export function createAuditFeature(replaced: { runner?: AuditRunner } = {}): Feature<StartedAudit> {
  return {
    name: 'audit',
    actions: { audit: async () => (await import('./actions/audit-domain.ts')).auditDomain },
    settings: { 'Domain check': auditSettings },
    personalData: () => import('./personal-data.ts'),
    endpoints,
    counters: [auditCounter],
    gauges: auditGauges,
    checks: async () => (await import('./launch-checks.ts')).ownDomainChecks,
    start: core => startAudit(core, replaced.runner ?? createRunner(core)),
  };
}

function createRunner({ log, clock, config, readSettings, findBuild }: Core): AuditRunner {
  const settings = readSettings(auditSettings);
  const deny = listDenied(settings.deny, config.siteUrl);
  return createAuditRunner({
    ...{ log, clock, findProgram: () => findAuditProgram(findBuild()) },
    settings: { ...settings, deny, siteUrl: config.siteUrl },
  });
}

/** With AUDIT=off there is no queue: links to earlier reports go on until they expire. */
function startAudit(core: Core, runner: AuditRunner): StartedAudit {
  const { clock, ids, log, config, rateLimit, counters } = core;
  const { isOn, deny } = core.readSettings(auditSettings);
  const audits = createAudits(core.database.db);
  const auditQueue = isOn ? createQueue(core, audits, runner) : undefined;
  return {
    ...{ audits, auditQueue, clock, ids, log, rateLimit, counters },
    auditLimits: createAuditLimits({ counts: core.rateCounts, clock, hmac: core.hmac }),
    auditTargets: createTargets(listDenied(deny, config.siteUrl)),
    auditPages: createAuditPages(core.findBuild, headerSettings(config)),
    forOwner: { domainDeps: { audits } },
    messageContext: createMessageContext(audits),
    // The first visitor waits no longer than the others.
    prepare: () => auditQueue && runner.prepare(),
    async stop() {
      auditQueue?.stop();
      await runner.close();
    },
  };
}

function createQueue({ ids, log }: Core, audits: Audits, runner: AuditRunner) {
  return createAuditQueue<StoredProgress>({
    run: domain => storeReport({ audits, ids }, runner.run(domain)),
    // Without the domain: no line holds what a visitor typed.
    onEnd({ ms, error }) {
      if (error === undefined) log.info('audit ended', { ms: Math.round(ms) });
      else log.error('audit failed', { ms: Math.round(ms), ...errorFields(error) });
    },
  });
}
