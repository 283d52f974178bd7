import { resolve } from 'node:path';
import { isSwitchedOn } from '../../core/content/switches.ts';
import { type CoreOverrides, createCore } from '../../core/create-core.ts';
import { recordHeartbeat, workerHeartbeatMs } from '../../core/database/recorded-runs.ts';
import { type Feature, type Lent, type StartedFeatures, startFeatures } from '../../core/feature.ts';
import { type AppDeps, listKinds } from '../../core/http/create-app.ts';
import { findCurrentBuild } from '../../core/http/current-build.ts';
import { createErrorResponseLog } from '../../core/http/error-response-log.ts';
import { findMessageContext } from '../../core/message-context.ts';
import type { Receiver } from '../../core/outbox/delivery.ts';
import type { Job } from '../../core/outbox/job-scheduler.ts';
import { createWorker, type Worker } from '../../core/outbox/worker.ts';
import { type CopyTargets, loadPersonalData } from '../../core/personal-data.ts';
import { messages } from '../../features/messages/feature.ts';
import { createErasureLog } from '../../features/privacy/erasure-log.ts';
import { createLocalCopies } from '../../features/privacy/local-copies.ts';
import { counters, features } from '../../features.ts';
import { createSiteApp, endpoints } from './app.ts';
import type { Config } from './config.ts';
import { createReadFigures } from './create-read-figures.ts';

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
    counters,
    findBuild: () => findCurrentBuild(dist) ?? dist,
    wake: () => worker.wake(),
    listStarted: () => started.all,
  };
  const core = await createCore(config, given, overrides);
  const { clock, ids, log, store, readiness, metrics } = core;
  const started: StartedFeatures = startFeatures(replaceFeatures(overrides.features), core);
  const privacy = await createPrivacyParts(config, core);
  const isOn = (name: string) => isSwitchedOn(core.findContent(), name);
  const jobs = [...privacy.personalData.flatMap(({ expire }) => expire), ...started.listJobs(isOn)];
  const worker: Worker = createSiteWorker(core, started, jobs);
  const errorResponses = createErrorResponseLog(log);
  const appDeps: AppDeps = {
    ids,
    log,
    siteUrl: config.siteUrl,
    counters: core.counters,
    onClientError: errorResponses.count,
    isReady: readiness.isReady,
  };
  const domainDeps = { ...listQueries(core, started), ...privacy };
  return {
    ...mergeParts(started.all.map(({ forOwner }) => forOwner)),
    ...{ config, clock, ids, log, store, core, started, worker, readiness, metrics, errorResponses, appDeps },
    ...{ ...privacy, hmac: core.hmac, checkDiskSpace: core.checkDiskSpace },
    personalFields: features.flatMap(({ personalFields = [] }) => personalFields),
    isOn,
    notifyOwner: core.notifyOwner,
    clockGuard: core.clockGuard,
    receivers: started.get(messages).ownerReceivers,
    describeOutdatedBuild: overrides.describeOutdatedBuild ?? (() => undefined),
    domainDeps,
    readFigures: createReadFigures({ domainDeps }),
    database: {
      location: store.location,
      isPostgres: store.isPostgres,
      durabilityWarnings: store.durabilityWarnings,
      measureSize: store.measureSize,
    },
    app: createSiteApp(appDeps, started, ({ name }) => isOn(name)),
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

async function createPrivacyParts(config: Config, core: OpenCore) {
  const { store, permanentHmac: hmac } = core;
  const ofFeatures = await loadPersonalData(features);
  const copies = createLocalCopies(
    config,
    ofFeatures.flatMap(({ createFiles }) => createFiles?.(config) ?? []),
  );
  const copyTargets = listCopyTargets(config, core.listReceivers());
  return {
    copies,
    copyTargets,
    erasureLog: createErasureLog({ db: store.db, dataDir: config.dataDir, hmac }),
    personalData: ofFeatures.map(({ createSteps }) =>
      createSteps({ ...core, database: store, copies, copyTargets }),
    ),
  };
}

function listCopyTargets({ mail }: Config, receivers: readonly Receiver[]): CopyTargets {
  const ofOwner = receivers.filter(({ isForOwner }) => isForOwner);
  return {
    destinations: new Map(ofOwner.map(({ name, destination }) => [name, destination])),
    local: new Set(ofOwner.filter(({ isLocal }) => isLocal).map(({ name }) => name)),
    mailServer: mail.smtp && receivers.find(({ isForOwner }) => !isForOwner)?.destination,
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
    jobs: [heartbeat, ...jobs],
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
  return {
    ...mergeParts(started.all.map(({ forOwner }) => forOwner?.domainDeps)),
    ...{ clock, ids, wake, messages: stored, receivers: receiverNames, receiverStates: store.receivers },
    ...{ outbox: store.outbox, schedule: store.schedule, storage: store.storage },
    ...{ reportCounts: store.reportCounts, backUp: store.backUp },
    messageContext: findMessageContext(started.all),
  };
}

function mergeParts(parts: readonly (Lent | undefined)[]): Lent {
  return Object.assign({}, ...parts);
}
