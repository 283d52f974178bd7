import { createOwnerNetwork, type Endpoint } from '../../core/network/owner-network.ts';
import { readLaunchFacts } from '../build/read-launch-facts.ts';
import type { Config } from '../server/config.ts';
import type { SiteState } from '../server/launch/check.ts';
import { type CheckReport, runChecks, sortReports } from '../server/launch/run-checks.ts';
import { findMissingDatabase } from '../server/readiness.ts';
import { type Services, wire } from '../server/wire.ts';
import { createCommand, createCommandLog, type Flags, runCommand, withConfig } from './command.ts';
import { explainDatabaseError, root } from './exit-on-error.ts';
import { parseEndpoint } from './parse-endpoint.ts';
import { formatCount, printError, printJson, printNote } from './print.ts';
import { printLines } from './terminal.ts';

const about = `Checks whether the site is ready for visitors, and explains what is missing. Exit code 1 if a required \
check fails. It sends no messages and creates no database.`;

await runCommand(
  createCommand('check-launch', about, '--connect 192.0.2.1')
    .option('--dns <address[:port]>', "use this name server instead of the system's", parseEndpoint)
    .option(
      '--connect <address[:port]>',
      'connect to the site at this address, before its DNS record is changed',
      parseEndpoint,
    )
    .option('--json', 'print JSON')
    .action(withConfig(checkLaunch)),
);

type Values = Flags<'json'> & { dns?: Endpoint | undefined; connect?: Endpoint | undefined };

async function checkLaunch(config: Config, { dns, connect, json: isJson }: Values): Promise<void> {
  const site = await openSite(config);
  const reports = await runChecks({
    config,
    site,
    now: new Date(),
    network: createOwnerNetwork({ siteUrl: config.siteUrl, dns, connect }),
    ...readLaunchFacts(root, config),
  });
  if ('domainDeps' in site) await site[Symbol.asyncDispose]();

  const failed = reports.filter(({ state }) => state === 'failed');
  const failedRequired = failed.filter(({ level }) => level === 'required').length;
  const unknown = reports.filter(({ state }) => state === 'not checked').length;
  if (isJson) printJson({ isReady: failedRequired === 0, lines: reports });
  else printLines(sortReports(reports).map(formatReport));
  const rest = `${formatCount(failed.length - failedRequired, 'recommendation')} open, ${unknown} not checked`;
  if (failedRequired > 0)
    printError(`not ready: ${formatCount(failedRequired, 'required check')} failed; ${rest}`);
  else printNote(`Ready: all required checks passed; ${rest}`);
}

async function openSite(config: Config): Promise<Services | Exclude<SiteState, { domainDeps: unknown }>> {
  if (findMissingDatabase(config)) return { reason: 'there is no database yet', isBroken: false };
  return wire(config, { log: createCommandLog(config) }).catch(error => ({
    reason: explainDatabaseError(error, config),
    isBroken: true,
  }));
}

function formatReport({ state, level, name, detail, advice, reason }: CheckReport): string {
  const text = advice ? `${detail}${/^[A-Z]/.test(advice) ? '.' : ';'} ${advice}` : detail;
  const end = /[.?!]$/.test(text) ? '' : '.';
  const line = `${state.padEnd(13)}${level.padEnd(13)}${name}: ${text}${end}`;
  return state === 'failed' ? `${line} ${reason}` : line;
}
