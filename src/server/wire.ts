import { type AppDeps, createApp } from '../api/app.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Ids, randomIds } from '../lib/ids.ts';
import { createLog, type Log } from '../lib/log.ts';
import { openStore, type Store } from '../store/open.ts';
import type { Config } from './config.ts';
import { createReadiness, type Readiness } from './readiness.ts';

export type Parts = {
  config: Config;
  clock: Clock;
  ids: Ids;
  log: Log;
  store: Store;
  readiness: Readiness;
  appDeps: AppDeps;
  app: ReturnType<typeof createApp>;
};

export type Wired = Parts & AsyncDisposable;

/** Builds the whole by hand; server, commands and tests share it. An override stands in for the part it names. */
export async function wire(config: Config, overrides: Partial<Parts> = {}): Promise<Wired> {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? randomIds;
  const log = overrides.log ?? createProcessLog(config, clock);
  const store =
    overrides.store ??
    (await openStore({
      ...config,
      onError: error => log.error('database connection lost', { error: error.message }),
    }));
  const readiness = overrides.readiness ?? createReadiness(store.assertWritable, log);
  const appDeps = {
    messages: store.messages,
    clock,
    ids,
    log,
    siteUrl: config.siteUrl,
    isReady: readiness.isReady,
  };
  const app = overrides.app ?? createApp(appDeps);
  return {
    config,
    clock,
    ids,
    log,
    store,
    readiness,
    appDeps,
    app,
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** A person at a terminal reads lines; everything else reads JSON. */
export function createProcessLog(config: Config, clock: Clock = systemClock): Log {
  const style = process.stdout.isTTY ? 'readable' : 'json';
  return createLog({ clock, level: config.logLevel, style, write: line => process.stdout.write(line) });
}
