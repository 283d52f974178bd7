import { join } from 'node:path';
import * as v from 'valibot';
import { actionsNeeding, optional, parsed } from '../../core/action.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { isSwitchedOn } from '../../core/content/switches.ts';
import { findMissingDatabase } from '../../core/database/sqlite.ts';
import { createOwnerNetwork, type Endpoint } from '../../core/network/owner-network.ts';
import { formatCount } from '../../lib/format-count.ts';
import { readLaunchFacts } from '../build/read-launch-facts.ts';
import { createCommandLog } from '../cli/command.ts';
import { explainDatabaseError, root } from '../cli/exit-on-error.ts';
import { expectedEndpoint, parseEndpoint } from '../cli/parse-endpoint.ts';
import type { Config } from '../server/config.ts';
import type { SiteState } from '../server/launch/context.ts';
import { type CheckReport, loadChecks, runChecks, sortReports } from '../server/launch/run-checks.ts';
import { wire } from '../server/wire.ts';

type Needs = { config: Config; site: SiteState; clock: Clock; root: string };

const defineAction = actionsNeeding<Needs, Config>();

const endpoint = parsed(parseEndpoint, expectedEndpoint);

export const checkLaunch = defineAction({
  name: 'check-launch',
  about: `Checks whether the site is ready for visitors, and explains what is missing. Exit code 1 if a required \
check fails. It sends no messages and creates no database.`,
  examples: ['', '--connect 192.0.2.1'],
  input: v.object({
    dns: optional('--dns <address[:port]>', "use this name server instead of the system's", endpoint),
    connect: optional(
      '--connect <address[:port]>',
      'connect to the site at this address, before its DNS record is changed',
      endpoint,
    ),
  }),
  async open(config) {
    const site = await openSite(config);
    const close = async () => {
      if ('domainDeps' in site) await site[Symbol.asyncDispose]();
    };
    return { config, site, clock: systemClock, root, [Symbol.asyncDispose]: close };
  },
  run: (needs, route) => runLaunchChecks(needs, { route }),
  json: reports => ({
    isReady: countFailed(reports, 'required') === 0,
    lines: reports.map(({ place: _, ...line }) => line),
  }),
  print(reports) {
    const failed = countFailed(reports, 'required');
    const unknown = reports.filter(({ state }) => state === 'not checked').length;
    const rest = `${formatCount(countFailed(reports, 'recommended'), 'recommendation')} open, ${unknown} not checked`;
    return [
      { lines: sortReports(reports).map(formatReport) },
      failed > 0
        ? { error: `not ready: ${formatCount(failed, 'required check')} failed; ${rest}` }
        : `Ready: all required checks passed; ${rest}`,
    ];
  },
});

type Route = { dns?: Endpoint | undefined; connect?: Endpoint | undefined };

/** `route`: other than a visitor's. Offline, nothing but the database is connected to. */
export async function runLaunchChecks(
  { config, site, clock, root }: Needs,
  { isOffline = false, route = {} }: { isOffline?: boolean; route?: Route },
): Promise<CheckReport[]> {
  const all = await loadChecks(name => isSwitchedOn(join(root, 'content'), name));
  const checks = all.filter(({ asksNetwork }) => !(isOffline && asksNetwork));
  const network = createOwnerNetwork({ siteUrl: config.siteUrl, ...route });
  const context = { config, site, network, now: clock.now(), ...readLaunchFacts(root, config) };
  return runChecks(context, checks);
}

async function openSite(config: Config) {
  if (findMissingDatabase(config)) return { reason: 'there is no database yet', isBroken: false };
  return wire(config, { log: createCommandLog(config) }).catch(error => ({
    reason: explainDatabaseError(error, config),
    isBroken: true,
  }));
}

export function countFailed(reports: readonly CheckReport[], level: CheckReport['level']): number {
  return reports.filter(report => report.state === 'failed' && report.level === level).length;
}

function formatReport({ state, level, name, detail, advice, reason }: CheckReport): string {
  const text = advice ? `${detail}${/^[A-Z]/.test(advice) ? '.' : ';'} ${advice}` : detail;
  const end = /[.?!]$/.test(text) ? '' : '.';
  const line = `${state.padEnd(13)}${level.padEnd(13)}${name}: ${text}${end}`;
  return state === 'failed' ? `${line} ${reason}` : line;
}
