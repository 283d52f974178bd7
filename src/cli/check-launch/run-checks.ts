import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readPublishedPosts } from '../../build/blog/due-posts.ts';
import { describeOutdatedBuild, fingerprintFile } from '../../build/fingerprint.ts';
import { readSite } from '../../content/read-site.ts';
import { securityTxtPath } from '../../server/check-security-txt.ts';
import type { Config } from '../../server/config.ts';
import { findCurrentBuild } from '../../server/current-build.ts';
import { findMissingDatabase } from '../../server/readiness.ts';
import { type Services, wire } from '../../server/wire.ts';
import { createCommandLog, type Flags } from '../command.ts';
import { explainDatabaseError } from '../exit-on-error.ts';
import { createOwnerNetwork, type Endpoint } from '../owner-network.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';
import { printLines } from '../terminal.ts';
import type { Check, CheckContext, CheckResult, Level, SiteState } from './check.ts';
import { postChecks, publishedChecks, securityTxtChecks } from './checks/build.ts';
import { companyChecks } from './checks/company.ts';
import { dataChecks } from './checks/data.ts';
import { mailNameChecks, siteNameChecks } from './checks/domain-names.ts';
import { exampleChecks } from './checks/examples.ts';
import { settingChecks } from './checks/settings.ts';

const allChecks: Check[] = [
  ...companyChecks,
  ...exampleChecks,
  ...settingChecks,
  ...publishedChecks,
  ...securityTxtChecks,
  ...postChecks,
  ...dataChecks,
  ...siteNameChecks,
  ...mailNameChecks,
];

export type CheckReport = Pick<Check, 'name' | 'reason'> & CheckResult & { level: Level };

const root = resolve(import.meta.dirname, '../../..');

type Values = Flags<'json'> & { dns?: Endpoint | undefined; connect?: Endpoint | undefined };

export async function checkLaunch(config: Config, { dns, connect, json: isJson }: Values): Promise<void> {
  const site = await openSite(config);
  const build = findCurrentBuild(join(root, 'dist'));
  const reports = await runChecks({
    config,
    now: new Date(),
    siteContent: readSite(join(root, 'content')),
    site,
    network: createOwnerNetwork({ siteUrl: config.siteUrl, dns, connect }),
    builtAt: build ? statSync(join(build, fingerprintFile)).mtime : undefined,
    outdatedReason: describeOutdatedBuild(root, build, config),
    securityTxt: build && readIfThere(join(build, 'site', securityTxtPath)),
    publishedPosts: readPublishedPosts(build),
  });
  if ('domainDeps' in site) await site[Symbol.asyncDispose]();

  const failed = reports.filter(({ state }) => state === 'failed');
  const failedRequired = failed.filter(({ level }) => level === 'required').length;
  const unknown = reports.filter(({ state }) => state === 'not checked').length;
  if (isJson) printJson({ isReady: failedRequired === 0, lines: reports });
  else printLines(reports.toSorted((a, b) => sortOrder(a) - sortOrder(b)).map(formatReport));
  const rest = `${formatCount(failed.length - failedRequired, 'recommendation')} open, ${unknown} not checked`;
  if (failedRequired > 0)
    printError(`not ready: ${formatCount(failedRequired, 'required check')} failed; ${rest}`);
  else printNote(`Ready: all required checks passed; ${rest}`);
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

export function runChecks(
  context: CheckContext,
  checks: readonly Check[] = allChecks,
): Promise<CheckReport[]> {
  const isStatic = context.config.contactEndpoint !== undefined;
  return Promise.all(
    checks
      .filter(({ needsServer }) => !(needsServer && isStatic))
      .map(async ({ name, level, reason, run }) => ({
        name,
        level,
        reason,
        ...(await runCheck(run, context)),
      })),
  );
}

async function runCheck(run: Check['run'], context: CheckContext): Promise<CheckResult> {
  try {
    return await run(context);
  } catch (error) {
    return { state: 'not checked', detail: error instanceof Error ? error.message : String(error) };
  }
}

async function openSite(config: Config): Promise<Services | Exclude<SiteState, { domainDeps: unknown }>> {
  if (findMissingDatabase(config)) return { reason: 'there is no database yet', isBroken: false };
  return wire(config, { log: createCommandLog(config) }).catch(error => ({
    reason: explainDatabaseError(error, config),
    isBroken: true,
  }));
}

function sortOrder({ state, level }: CheckReport): number {
  if (state === 'ready') return 3;
  if (state === 'not checked') return 2;
  return level === 'required' ? 0 : 1;
}

function formatReport({ state, level, name, detail, reason }: CheckReport): string {
  const end = /[.?!]$/.test(detail) ? '' : '.';
  const line = `${state.padEnd(13)}${level.padEnd(13)}${name}: ${detail}${end}`;
  return state === 'failed' ? `${line} ${reason}` : line;
}
