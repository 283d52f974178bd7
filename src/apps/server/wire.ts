import { resolve } from 'node:path';
import { isSwitchedOn } from '../../core/content/switches.ts';
import { type CoreOverrides, createCore } from '../../core/create-core.ts';
import { recordHeartbeat, workerHeartbeatMs } from '../../core/database/recorded-runs.ts';
import { type Feature, type StartedFeatures, startFeatures } from '../../core/feature.ts';
import { type AppDeps, listKinds } from '../../core/http/create-app.ts';
import { findCurrentBuild } from '../../core/http/current-build.ts';
import { createErrorResponseLog } from '../../core/http/error-response-log.ts';
import type { Job } from '../../core/outbox/job-scheduler.ts';
import { createWorker, type Worker } from '../../core/outbox/worker.ts';
import { audit } from '../../features/audit/feature.ts';
import { messages } from '../../features/messages/feature.ts';
import { newsletter } from '../../features/newsletter/feature.ts';
import { createAuditHasher } from '../../features/privacy/audit-hasher.ts';
import { createLedger } from '../../features/privacy/erasure-ledger.ts';
import { expireMessages } from '../../features/privacy/expire-messages.ts';
import { features } from '../../features.ts';
import { createSiteApp, endpoints } from './app.ts';
import type { Config } from './config.ts';
import { createLocalCopies } from './create-local-copies.ts';

export type ServiceOverrides = CoreOverrides & {
  /** In place of those with the same names. */
  features: readonly Feature[];
  describeOutdatedBuild(): string | undefined;
};

export type Services = Awaited<ReturnType<typeof wire>>;

type OpenCore = Awaited<ReturnType<typeof createCore>>;

const dist = resolve(import.meta.dirname, '../../../dist');

/** Opens the database, starts the features, and puts together what a server, the desk and the commands use of them. */
export async function wire(config: Config, overrides: Partial<ServiceOverrides> = {}) {
  const given = {
    parts: config.parts,
    requestKinds: listKinds(endpoints),
    findBuild: () => findCurrentBuild(dist) ?? dist,
    wake: () => worker.wake(),
    listStarted: () => started.all,
  };
  const core = await createCore(config, given, overrides);
  const { clock, ids, log, store, readiness, metrics } = core;
  const started: StartedFeatures = startFeatures(replaceFeatures(overrides.features), core);
  const privacy = createPrivacyParts(config, core);
  const worker: Worker = createSiteWorker(core, started, privacy.jobs);
  const errorResponses = createErrorResponseLog(log);
  const appDeps: AppDeps = {
    ids,
    log,
    siteUrl: config.siteUrl,
    counters: core.counters,
    onClientError: errorResponses.count,
    isReady: readiness.isReady,
  };
  const { auditHasher, ledger, copies } = privacy;
  return {
    ...{ config, clock, ids, log, store, core, started, worker, readiness, metrics, errorResponses, appDeps },
    ...{ auditHasher, ledger, copies, hmac: core.hmac, checkDiskSpace: core.checkDiskSpace },
    notifyOwner: core.notifyOwner,
    clockGuard: core.clockGuard,
    receivers: started.get(messages).ownerReceivers,
    newsletter: started.get(newsletter).newsletter,
    describeOutdatedBuild: overrides.describeOutdatedBuild ?? (() => undefined),
    domainDeps: { ...listQueries(core, started), auditHasher, ledger, copies },
    database: {
      location: store.location,
      isPostgres: store.isPostgres,
      durabilityWarnings: store.durabilityWarnings,
      measureSize: store.measureSize,
    },
    app: createSiteApp(appDeps, started, ({ name }) => isSwitchedOn(core.findContent(), name)),
    /** Resolves when the database can no longer be trusted: the process must end and be restarted. */
    fatalError: core.fatalError,
    async [Symbol.asyncDispose]() {
      errorResponses.flush();
      for (const { stop } of started.all) await stop?.();
      await worker.stop();
      for (const { close } of started.all) close?.();
      await store.close();
    },
  };
}

function replaceFeatures(replaced: readonly Feature[] = []): Feature[] {
  return features.map(feature => replaced.find(({ name }) => name === feature.name) ?? feature);
}

function createPrivacyParts(config: Config, { permanentHmac, store, schedule, clock, log }: OpenCore) {
  const copies = createLocalCopies(config);
  const deps = { privacy: store.privacy, copies, schedule, clock, log };
  const jobs: Job[] = [
    {
      name: 'expire messages',
      everyMs: 60 * 60_000,
      run: signal => expireMessages(deps, config.retention, signal),
    },
  ];
  return {
    auditHasher: createAuditHasher(permanentHmac),
    ledger: createLedger(config.dataDir),
    copies,
    jobs,
  };
}

function createSiteWorker(core: OpenCore, started: StartedFeatures, jobs: readonly Job[]): Worker {
  const { outbox, schedule, receiverStates, clock, clockGuard, ids, log, metrics } = core;
  const heartbeat: Job = {
    name: 'heartbeat',
    everyMs: workerHeartbeatMs,
    run: () => recordHeartbeat({ schedule, clock }),
  };
  return createWorker({
    ...{ outbox, receiverStates, clock, clockGuard, ids, log },
    kinds: Object.assign({}, ...started.all.map(({ deliveries }) => deliveries)),
    jobs: [heartbeat, ...jobs, ...started.all.flatMap(({ jobs = [] }) => jobs)],
    receivers: core.listReceivers(),
    async reportProblem(...problem) {
      for (const { reportProblem } of started.all) await reportProblem?.(...problem);
    },
    random: Math.random,
    onSettled: metrics.onSettled,
  });
}

/** What the commands and the desk read and change. */
function listQueries({ store, clock, ids, wake }: OpenCore, started: StartedFeatures) {
  const { messages: stored, receiverNames } = started.get(messages);
  const { signUps, subscribers, consentTexts, newsletterIssues, newsletterKeys, resolveConsentText } =
    started.get(newsletter);
  return {
    ...{ signUps, subscribers, consentTexts, newsletterKeys, resolveConsentText, clock, ids, wake },
    messages: stored,
    issues: newsletterIssues,
    audits: started.get(audit).audits,
    receivers: receiverNames,
    receiverStates: store.receivers,
    ...{ outbox: store.outbox, schedule: store.schedule, privacy: store.privacy },
    ...{ reportCounts: store.reportCounts, backUp: store.backUp },
  };
}
