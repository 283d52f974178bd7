import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type Clock, systemClock } from '../../core/clock.ts';
import { isSwitchedOn } from '../../core/content/switches.ts';
import { openStore, type Store } from '../../core/database/open-store.ts';
import { recordHeartbeat, workerHeartbeatMs } from '../../core/database/recorded-runs.ts';
import { type Core, type Feature, startFeatures } from '../../core/feature.ts';
import { createHmacSigner, type HmacSigner } from '../../core/hmac.ts';
import { type AppDeps, listKinds } from '../../core/http/create-app.ts';
import { findCurrentBuild } from '../../core/http/current-build.ts';
import { createBusyWarning, createErrorResponseLog } from '../../core/http/error-response-log.ts';
import { createFloodCheck, floodLimits } from '../../core/http/flood-check.ts';
import { createFormTokens } from '../../core/http/form-tokens.ts';
import { createMetrics } from '../../core/http/metrics.ts';
import { createMemoryCounts, createRateLimit, noCounts } from '../../core/http/rate-limits.ts';
import { type Ids, randomIds } from '../../core/ids.ts';
import { createLog, errorFields, type Log } from '../../core/log.ts';
import { getRegistrableDomain } from '../../core/network/parse-domain.ts';
import { type ClockGuard, createClockGuard } from '../../core/outbox/clock-guard.ts';
import type { Receiver } from '../../core/outbox/delivery.ts';
import { createDiskSpaceCheck, type DiskSpaceCheck } from '../../core/outbox/disk-space.ts';
import type { Job } from '../../core/outbox/job-scheduler.ts';
import { createNotifyOwner } from '../../core/outbox/notify-owner.ts';
import { createWorker } from '../../core/outbox/worker.ts';
import { audit } from '../../features/audit/feature.ts';
import { claimAcknowledgement } from '../../features/messages/acknowledge-message.ts';
import { createRepeatCounter } from '../../features/messages/api/repeated-messages.ts';
import { createMessageDeliveries } from '../../features/messages/deliveries.ts';
import { messages as messagesFeature } from '../../features/messages/feature.ts';
import { createOwnerNotices } from '../../features/messages/owner-notices.ts';
import {
  createAcknowledgements,
  createReceivers,
} from '../../features/messages/receivers/create-receivers.ts';
import { watchFlood } from '../../features/messages/watch-flood.ts';
import { createNewsletter, type Newsletter } from '../../features/newsletter/create-newsletter.ts';
import { createNewsletterDeliveries } from '../../features/newsletter/deliveries.ts';
import { expirePendingSubscribers } from '../../features/newsletter/expire-pending-subscribers.ts';
import { newsletter as newsletterFeature } from '../../features/newsletter/feature.ts';
import { processSignUps } from '../../features/newsletter/process-sign-ups.ts';
import { createAuditHasher } from '../../features/privacy/audit-hasher.ts';
import { createLedger } from '../../features/privacy/erasure-ledger.ts';
import { expireMessages } from '../../features/privacy/expire-messages.ts';
import { features } from '../../features.ts';
import { createSiteApp, endpoints } from './app.ts';
import type { Config } from './config.ts';
import { createLocalCopies } from './create-local-copies.ts';
import { contentFolder } from './mail-texts.ts';
import { createReadiness, type Readiness } from './readiness.ts';

export type ServiceOverrides = {
  clock: Clock;
  ids: Ids;
  log: Log;
  store: Store;
  receivers: readonly Receiver[];
  newsletter: Newsletter;
  checkDiskSpace: DiskSpaceCheck;
  readiness: Readiness;
  clockGuard: ClockGuard;
  /** In place of those with the same names. */
  features: readonly Feature[];
  findContent(): string;
  /** The folder of the build that is served. */
  findBuild(): string;
  describeOutdatedBuild(): string | undefined;
};

export type Services = Awaited<ReturnType<typeof wire>>;

export async function wire(config: Config, overrides: Partial<ServiceOverrides> = {}) {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? randomIds;
  const log = overrides.log ?? createProcessLog(config, clock);
  const metrics = createMetrics(listKinds(endpoints));
  const { promise: fatalError, resolve: signalFatalError } = Promise.withResolvers<void>();
  const store =
    overrides.store ??
    (await openStore({
      ...config,
      observer: metrics.observer,
      onError: error => log.error('database connection lost', { error: error.message }),
      onFatalError(error) {
        log.error('database failed, this process ends', errorFields(error));
        signalFatalError();
      },
    }));
  for (const reason of store.durabilityWarnings) log.warn('database not durable', { reason });
  const hmac = await createSiteHmac(config, store, clock);
  const checkDiskSpace =
    overrides.checkDiskSpace ?? createDiskSpaceCheck(config.dataDir, config.minFreeDiskMb * 1024 * 1024);
  const receivers = overrides.receivers ?? createReceivers(config, { clock, checkDiskSpace, store });
  const readiness = overrides.readiness ?? createReadiness(store.assertWritable, log);
  fatalError.then(readiness.startShutdown);
  const clockGuard = overrides.clockGuard ?? createClockGuard({ readClock: store.readClock, clock, log });
  const { messages, outbox, schedule, signUps, subscribers, newsletterIssues } = store;
  const secret = await getOrCreateSecret('newsletter', store, clock);
  const { findContent = () => contentFolder, describeOutdatedBuild = () => undefined } = overrides;
  const { findBuild = () => findCurrentBuild(dist) ?? dist } = overrides;
  const newsletter =
    overrides.newsletter ?? createNewsletter(config, { store, secret, clock, checkDiskSpace, findContent });
  const newsletterHmac = createHmacSigner(secret);
  const auditHasher = createAuditHasher(newsletterHmac);
  const ledger = createLedger(config.dataDir);
  const copies = createLocalCopies(config);
  const { confirmations, newsletter: issues } = newsletter.subscriberMail;
  const acknowledgements = createAcknowledgements(config, { checkDiskSpace, findContent });
  const messageReceivers = acknowledgements ? [...receivers, acknowledgements] : receivers;
  const allReceivers = [...messageReceivers, confirmations, issues];
  const wake = (): void => worker.wake();
  const notifyOwner = createNotifyOwner({ schedule, ids, receivers: allReceivers, wake });
  const ownerNotices = createOwnerNotices({
    outbox,
    receiverStates: store.receivers,
    schedule,
    messages,
    receivers: allReceivers,
    notifyOwner,
    clock,
    log,
  });
  const { maxPerHour } = config.newsletter;
  const { keys: newsletterKeys, resolveConsentText } = newsletter;
  const signUpDeps = {
    signUps,
    subscribers,
    notifyOwner,
    clock,
    ids,
    maxPerHour,
    newsletterKeys,
    getRegistrableDomain,
    wake,
  };
  const jobs: Job[] = [
    {
      name: 'heartbeat',
      everyMs: workerHeartbeatMs,
      run: () => recordHeartbeat({ schedule, clock }),
    },
    {
      name: 'watch for a flood',
      everyMs: 5000,
      run: () =>
        watchFlood(
          { messages, schedule, notifyOwner, clock, log },
          config.isRateLimited ? floodLimits : undefined,
        ),
    },
    {
      name: 'process sign-ups',
      everyMs: 5000,
      wakeDelayMs: 1000,
      run: () => processSignUps(signUpDeps),
    },
    {
      name: 'purge pending subscribers',
      everyMs: 10 * 60_000,
      run: () => expirePendingSubscribers({ subscribers, schedule, copies, clock }),
    },
    {
      name: 'expire messages',
      everyMs: 60 * 60_000,
      run: signal =>
        expireMessages({ privacy: store.privacy, copies, schedule, clock, log }, config.retention, signal),
    },
    ownerNotices.job,
  ];
  const sharedCounts = store.isPostgres ? store.rateCounts : undefined;
  const counts = config.isRateLimited ? (sharedCounts ?? createMemoryCounts()) : noCounts;
  const repeatCounts = config.isRateLimited ? (sharedCounts ?? createMemoryCounts(maxRemembered)) : noCounts;
  const core: Core = {
    ...{ clock, ids, log, config, hmac, findBuild, database: store },
    readSettings: part => config.parts.get(part) as never,
    rateLimit: createRateLimit({ counts, clock, hmac, log }),
    rateCounts: counts,
    counters: metrics.requestCounters,
  };
  const replaced = new Map(overrides.features?.map(feature => [feature.name, feature]));
  const startedHere = startFeatures(
    features.map(feature => replaced.get(feature.name) ?? feature),
    core,
  );
  const { audits } = startedHere.get(audit);
  const worker = createWorker({
    outbox,
    clock,
    clockGuard,
    ids,
    log,
    jobs,
    receiverStates: store.receivers,
    kinds: {
      ...createMessageDeliveries({
        messages,
        claimAcknowledgement: message =>
          claimAcknowledgement({ outbox, subscribers, newsletterKeys, clock }, message),
      }),
      ...createNewsletterDeliveries({ subscribers, newsletterIssues, clock, ids, log }),
    },
    receivers: allReceivers,
    reportProblem: ownerNotices.reportProblem,
    random: Math.random,
    onSettled: metrics.onSettled,
  });
  const errorResponses = createErrorResponseLog(log);
  const shared = {
    ...{ clock, ids, log, wake: worker.wake, rateLimit: core.rateLimit, counters: metrics.requestCounters },
    onNotStored: readiness.markNotReady,
    onBusy: createBusyWarning(log),
  };
  const formTokens = createFormTokens({ hmac, clock });
  const started = startedHere
    .with(messagesFeature, {
      ...shared,
      messages,
      receivers: messageReceivers.map(({ name }) => name),
      repeats: createRepeatCounter({ counts: repeatCounts, clock, hmac, log }),
      isFlood: config.isRateLimited ? createFloodCheck({ messages, clock, log }) : async () => false,
      formTokens,
      // This secret is shared by all processes and never changes, so a replay is recognised after SECRET was changed.
      hashKey: key => newsletterHmac.sign('idempotency key', key),
    })
    .with(newsletterFeature, {
      ...{ ...shared, signUps, subscribers, newsletterKeys, resolveConsentText },
      bounceSecrets: config.newsletter.bounceSecrets,
    });
  const appDeps: AppDeps = {
    ...{ ids, log, siteUrl: config.siteUrl, counters: metrics.requestCounters },
    onClientError: errorResponses.count,
    isReady: readiness.isReady,
  };
  const app = createSiteApp(appDeps, started, ({ name }) => isSwitchedOn(findContent(), name));
  const domainDeps = {
    messages,
    outbox,
    schedule,
    signUps,
    subscribers,
    clock,
    ids,
    auditHasher,
    ledger,
    copies,
    wake,
    issues: newsletterIssues,
    audits,
    consentTexts: store.consentTexts,
    privacy: store.privacy,
    reportCounts: store.reportCounts,
    backUp: store.backUp,
    receiverStates: store.receivers,
    receivers: messageReceivers.map(({ name }) => name),
    newsletterKeys,
    resolveConsentText,
  };
  return {
    config,
    clock,
    ids,
    log,
    store,
    core,
    hmac,
    checkDiskSpace,
    receivers,
    notifyOwner,
    newsletter,
    auditHasher,
    ledger,
    copies,
    worker,
    started,
    readiness,
    clockGuard,
    describeOutdatedBuild,
    metrics,
    errorResponses,
    appDeps,
    domainDeps,
    database: {
      location: store.location,
      isPostgres: store.isPostgres,
      durabilityWarnings: store.durabilityWarnings,
      measureSize: store.measureSize,
    },
    app,
    /** Resolves when the database can no longer be trusted: the process must end and be restarted. */
    fatalError,
    async [Symbol.asyncDispose]() {
      errorResponses.flush();
      for (const { stop } of started.all) await stop?.();
      await worker.stop();
      for (const receiver of messageReceivers) receiver.close?.();
      newsletter.subscriberMail.close();
      await store.close();
    },
  };
}

const dist = resolve(import.meta.dirname, '../../../dist');

const maxRemembered = 50_000;

async function createSiteHmac(config: Config, store: Store, clock: Clock): Promise<HmacSigner> {
  if (config.secret) {
    const previous = [config.previousSecret, await store.secrets.get('site')];
    return createHmacSigner(
      config.secret,
      previous.filter(secret => secret !== undefined),
    );
  }
  return createHmacSigner(await getOrCreateSecret('site', store, clock));
}

function getOrCreateSecret(name: string, { secrets }: Store, clock: Clock): Promise<string> {
  return secrets.getOrCreate(name, randomBytes(32).toString('base64url'), clock.now().toISOString());
}

export function createProcessLog(config: Config, clock: Clock = systemClock): Log {
  const style = process.stdout.isTTY ? 'readable' : 'json';
  return createLog({ clock, level: config.logLevel, style, write: writeBatched });
}

let unwritten = '';

function writeBatched(line: string): void {
  if (!unwritten) setImmediate(flush);
  unwritten += line;
}

function flush(): void {
  const lines = unwritten;
  unwritten = '';
  if (lines) process.stdout.write(lines);
}

process.once('exit', flush);
// The server goes on when its log cannot be written.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
