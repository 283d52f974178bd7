import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from './clock.ts';
import { contentFolder } from './content/content-folder.ts';
import { type Observer, openStore, type Store } from './database/open-store.ts';
import type { Core, StartedFeature } from './feature.ts';
import { createHmacSigner, type HmacSigner } from './hmac.ts';
import { createBusyWarning } from './http/error-response-log.ts';
import { createMetrics } from './http/metrics.ts';
import { createMemoryCounts, createRateLimit, noCounts, type RateCounts } from './http/rate-limits.ts';
import { createReadiness, type Readiness } from './http/readiness.ts';
import type { CounterType } from './http/request-counters.ts';
import { type Ids, randomIds } from './ids.ts';
import { errorFields, type Log } from './log.ts';
import { type ClockGuard, createClockGuard } from './outbox/clock-guard.ts';
import { createDiskSpaceCheck, type DiskSpaceCheck } from './outbox/disk-space.ts';
import { createNotifyOwner } from './outbox/notify-owner.ts';
import { createProcessLog } from './process-log.ts';
import type { CoreConfig } from './settings/core-settings.ts';
import type { SettingsPart } from './settings/define-settings.ts';

/** What tests, `npm run dev` and the commands replace. */
export type CoreOverrides = {
  clock: Clock;
  ids: Ids;
  log: Log;
  store: Store;
  checkDiskSpace: DiskSpaceCheck;
  readiness: Readiness;
  clockGuard: ClockGuard;
  /** The folder of the texts in force. */
  findContent(): string;
  /** The folder of the build that is served. */
  findBuild(): string;
};

type Given = {
  /** What was read of the features' settings. */
  parts: ReadonlyMap<SettingsPart, unknown>;
  requestKinds: readonly string[];
  counters: readonly CounterType[];
  findBuild(): string;
  wake(): void;
  listStarted(): readonly StartedFeature[];
};

/** Opens the database, and makes what every feature may use. */
export async function createCore(config: CoreConfig, given: Given, overrides: Partial<CoreOverrides>) {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? randomIds;
  const log = overrides.log ?? createProcessLog(config, clock);
  const metrics = createMetrics(given.requestKinds, given.counters);
  const { promise: fatalError, resolve: signalFatalError } = Promise.withResolvers<void>();
  const store = overrides.store ?? (await openDatabase(config, metrics.observer, log, signalFatalError));
  for (const reason of store.durabilityWarnings) log.warn('database not durable', { reason });
  const hmac = await createSiteHmac(config, store, clock);
  const readiness = overrides.readiness ?? createReadiness(store.assertWritable, log);
  fatalError.then(readiness.startShutdown);
  const createRateCounts = rateCountsFor(config, store);
  const rateCounts = createRateCounts();
  const { wake, listStarted } = given;
  const listReceivers = () => listStarted().flatMap(({ receivers = [] }) => receivers);
  return {
    config,
    clock,
    ids,
    log,
    hmac,
    rateCounts,
    createRateCounts,
    wake,
    listReceivers,
    database: store,
    outbox: store.outbox,
    schedule: store.schedule,
    receiverStates: store.receivers,
    notifyOwner: createNotifyOwner({ schedule: store.schedule, ids, listReceivers, wake }),
    async mayMailTo(address) {
      for (const { mayMailTo } of listStarted()) if (mayMailTo && !(await mayMailTo(address))) return false;
      return true;
    },
    readSettings: <Result>(part: SettingsPart<Result>) => given.parts.get(part) as Result,
    permanentHmac: createHmacSigner(await getOrCreateSecret('newsletter', store, clock)),
    rateLimit: createRateLimit({ counts: rateCounts, clock, hmac, log }),
    counters: metrics.requestCounters,
    onNotStored: readiness.markNotReady,
    onBusy: createBusyWarning(log),
    checkDiskSpace:
      overrides.checkDiskSpace ?? createDiskSpaceCheck(config.dataDir, config.minFreeDiskMb * 1024 * 1024),
    findContent: overrides.findContent ?? (() => contentFolder),
    findBuild: overrides.findBuild ?? given.findBuild,
    store,
    metrics,
    readiness,
    fatalError,
    clockGuard: overrides.clockGuard ?? createClockGuard({ readClock: store.readClock, clock, log }),
  } satisfies Core & Record<string, unknown>;
}

function openDatabase(
  config: CoreConfig,
  observer: Observer,
  log: Log,
  signalFatalError: () => void,
): Promise<Store> {
  return openStore({
    ...config,
    observer,
    onError: error => log.error('database connection lost', { error: error.message }),
    onFatalError(error) {
      log.error('database failed, this process ends', errorFields(error));
      signalFatalError();
    },
  });
}

/** Several processes share the counts of PostgreSQL. */
function rateCountsFor({ isRateLimited }: CoreConfig, store: Store): (max?: number) => RateCounts {
  if (!isRateLimited) return () => noCounts;
  return store.isPostgres ? () => store.rateCounts : createMemoryCounts;
}

async function createSiteHmac(config: CoreConfig, store: Store, clock: Clock): Promise<HmacSigner> {
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
