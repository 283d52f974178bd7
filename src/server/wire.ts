import { randomBytes } from 'node:crypto';
import { type AppDeps, createApp } from '../api/app.ts';
import { createFloodCheck, floodLimits } from '../api/guards/flood.ts';
import { createFormTokens } from '../api/guards/form-tokens.ts';
import { createMemoryCounts, createRateLimit, noRateLimit } from '../api/guards/rate-limit.ts';
import { createRepeats, noRepeats } from '../api/guards/repeats.ts';
import type { Receiver } from '../deliveries/delivery.ts';
import { createDiskFloor, type DiskFloor } from '../deliveries/disk-floor.ts';
import type { Copies } from '../domain/privacy/copies.ts';
import { expireMessages } from '../domain/privacy/expire-messages.ts';
import { type AuditNaming, createAuditNaming } from '../domain/privacy/naming.ts';
import { admitSignUps } from '../domain/subscribers/admit-sign-ups.ts';
import { tidySubscribers } from '../domain/subscribers/tidy-subscribers.ts';
import { expireViews } from '../domain/views/expire-views.ts';
import { createViewCounts, type ViewCounts } from '../domain/views/view-counts.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Ids, randomIds } from '../lib/ids.ts';
import { createKeys, type Keys } from '../lib/keys.ts';
import { createLog, errorFields, type Log } from '../lib/log.ts';
import type { Errand } from '../outbox/errands.ts';
import { watchFlood } from '../outbox/flood.ts';
import { createWorker, type Worker } from '../outbox/worker.ts';
import { openStore, type Store } from '../store/open.ts';
import { createBusyWarning } from './busy-warning.ts';
import type { Config } from './config.ts';
import { createCopies } from './copies.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createNewsletter, type Newsletter } from './newsletter.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createReceivers } from './receivers.ts';
import { createRefusals, type Refusals } from './refusals.ts';

export type Parts = {
  config: Config;
  clock: Clock;
  ids: Ids;
  log: Log;
  store: Store;
  keys: Keys;
  lowSpace: DiskFloor;
  /** Whoever is told of messages. */
  receivers: readonly Receiver[];
  newsletter: Newsletter;
  /** What stands for whoever was erased, and the file that remembers it outside the database. */
  audit: AuditNaming;
  ledger: Ledger;
  /** What receivers wrote as files on this machine. */
  copies: Copies;
  /** What is counted and not stored yet. */
  views: ViewCounts;
  /** Which pages a build has that not every build has: nothing is known of them before one is held. */
  hasPage(path: string): boolean;
  worker: Worker;
  readiness: Readiness;
  metrics: Metrics;
  refusals: Refusals;
  appDeps: AppDeps;
  app: ReturnType<typeof createApp>;
};

export type Wired = Parts &
  AsyncDisposable & {
    /** Resolves when the database can no longer be believed: the process must end, and be started again clean. */
    broken: Promise<void>;
  };

/** Builds the whole by hand; server, commands and tests share it. An override stands in for the part it names. */
export async function wire(config: Config, overrides: Partial<Parts> = {}): Promise<Wired> {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? randomIds;
  const log = overrides.log ?? createProcessLog(config, clock);
  const metrics = overrides.metrics ?? createMetrics();
  const { promise: broken, resolve: breakDown } = Promise.withResolvers<void>();
  const store =
    overrides.store ??
    (await openStore({
      ...config,
      observer: metrics.observer,
      onError: error => log.error('database connection lost', { error: error.message }),
      onFailure(error) {
        log.error('database failed, this process ends', errorFields(error));
        breakDown();
      },
    }));
  for (const doubt of store.doubts) log.warn('database not durable', { why: doubt });
  const keys = overrides.keys ?? (await findKeys(config, store, clock));
  const lowSpace = overrides.lowSpace ?? createDiskFloor(config.dataDir, config.minFreeDiskMb * 1024 * 1024);
  const receivers = overrides.receivers ?? createReceivers(config, { clock, lowSpace });
  const readiness = overrides.readiness ?? createReadiness(store.assertWritable, log);
  broken.then(readiness.leave);
  const { messages, outbox, subscribers, issues } = store;
  const secret = await keepSecret('newsletter', store, clock);
  const newsletter = overrides.newsletter ?? createNewsletter(config, { store, secret, clock, lowSpace });
  const pseudonyms = createKeys(secret);
  const audit = overrides.audit ?? createAuditNaming(pseudonyms);
  const ledger = overrides.ledger ?? createLedger(config.dataDir);
  const copies = overrides.copies ?? createCopies(config);
  const { confirmations, newsletter: issueLine } = newsletter.letters;
  const { ceiling } = config.newsletter;
  const nudge = () => worker.nudge();
  const admission = { subscribers, outbox, clock, ids, ceiling, newsletter: newsletter.naming, nudge };
  const errands: Errand[] = [
    {
      name: 'watch for a flood',
      everyMs: 5000,
      run: () =>
        watchFlood(
          { messages, outbox, receivers, clock, ids, log, nudge },
          config.isRateLimited ? floodLimits : undefined,
        ),
    },
    {
      name: 'admit sign-ups',
      everyMs: 5000,
      afterNudgeMs: 1000,
      run: async () => void (await admitSignUps(admission)),
    },
    {
      name: 'forget unconfirmed subscribers',
      everyMs: 10 * 60_000,
      run: async () => void (await tidySubscribers({ subscribers, outbox, copies, clock })),
    },
    {
      name: 'forget old messages',
      everyMs: 60 * 60_000,
      run: signal =>
        expireMessages({ privacy: store.privacy, copies, turns: outbox, clock, log }, config.keep, signal),
    },
    {
      name: 'forget old views',
      everyMs: 60 * 60_000,
      run: () => expireViews({ views: store.views, turns: outbox, clock, log }),
    },
  ];
  const worker: Worker =
    overrides.worker ??
    createWorker({
      ...{ outbox, messages, subscribers, issues, clock, ids, log, errands },
      receivers: [...receivers, confirmations, issueLine],
      random: Math.random,
      onSettled: metrics.onSettled,
    });
  const views = overrides.views ?? createViewCounts({ views: store.views, clock, log });
  const hasPage = overrides.hasPage ?? (() => false);
  const viewLimit = createRateLimit({ counts: createMemoryCounts(), clock, keys, log });
  const counts = store.isShared ? store.rateCounts : createMemoryCounts();
  const repeatCounts = store.isShared ? store.rateCounts : createMemoryCounts(maxRemembered);
  const refusals = overrides.refusals ?? createRefusals(log);
  const appDeps: AppDeps = {
    messages,
    clock,
    ids,
    log,
    siteUrl: config.siteUrl,
    receivers: receivers.map(({ name }) => name),
    nudge: worker.nudge,
    rateLimit: config.isRateLimited ? createRateLimit({ counts, clock, keys, log }) : noRateLimit,
    repeats: config.isRateLimited ? createRepeats({ counts: repeatCounts, clock, keys, log }) : noRepeats,
    isFlood: config.isRateLimited ? createFloodCheck({ messages, clock, log }) : async () => false,
    formTokens: createFormTokens({ keys, clock }),
    // Under the secret that all processes share and that never changes, so that a replay is known after SECRET was.
    hashKey: key => pseudonyms.sign('idempotency key', key),
    newsletter: { subscribers, naming: newsletter.naming, bounceSecrets: config.newsletter.bounceSecrets },
    viewing: config.countsViews
      ? { views, viewLimit: config.isRateLimited ? viewLimit : noRateLimit, hasPage }
      : undefined,
    onNotStored: readiness.doubt,
    onBusy: createBusyWarning(log),
    onRefused: refusals.count,
    isReady: readiness.isReady,
    tally: metrics.tally,
  };
  const app = overrides.app ?? createApp(appDeps);
  return {
    config,
    clock,
    ids,
    log,
    store,
    keys,
    lowSpace,
    receivers,
    newsletter,
    audit,
    ledger,
    copies,
    views,
    hasPage,
    worker,
    readiness,
    metrics,
    refusals,
    appDeps,
    app,
    broken,
    async [Symbol.asyncDispose]() {
      refusals.tell();
      await worker.stop();
      for (const receiver of receivers) receiver.close?.();
      newsletter.letters.close();
      await views.flush();
      await store.close();
    },
  };
}

/** Texts that a process alone remembers as sent before, in about 15 MB: a flood of new ones forgets the oldest. */
const maxRemembered = 50_000;

/** The secret of the settings, or one that is made once and kept with the data, and backed up with it. */
async function findKeys(config: Config, store: Store, clock: Clock): Promise<Keys> {
  if (config.secret) {
    const previous = [config.previousSecret, await store.secrets.get('site')];
    return createKeys(
      config.secret,
      previous.filter(secret => secret !== undefined),
    );
  }
  return createKeys(await keepSecret('site', store, clock));
}

/** Whoever is first makes it; it never changes after that. */
function keepSecret(name: string, { secrets }: Store, clock: Clock): Promise<string> {
  return secrets.keep(name, randomBytes(32).toString('base64url'), clock.now().toISOString());
}

/** A person at a terminal reads lines; everything else reads JSON. */
export function createProcessLog(config: Config, clock: Clock = systemClock): Log {
  const style = process.stdout.isTTY ? 'readable' : 'json';
  return createLog({ clock, level: config.logLevel, style, write: writeTogether });
}

let unwritten = '';

/** Lines of one turn of the event loop are written as one; whatever ends the process, it writes what is left. */
function writeTogether(line: string): void {
  if (!unwritten) setImmediate(flush);
  unwritten += line;
}

function flush(): void {
  const lines = unwritten;
  unwritten = '';
  if (lines) process.stdout.write(lines);
}

process.once('exit', flush);
// A log that nobody can read or that no longer fits on its disk is no reason to turn visitors away.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
