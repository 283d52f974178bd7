import { existsSync, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readPublishedPosts } from '../../build/blog/due-posts.ts';
import { findStaleReason, fingerprintFile } from '../../build/fingerprint.ts';
import { readSite } from '../../content/blog/read-site.ts';
import type { Config } from '../../server/config.ts';
import { findCurrentBuild } from '../../server/current-build.ts';
import { findMissingDatabase } from '../../server/readiness.ts';
import { securityTxtPath } from '../../server/security-txt.ts';
import { type Services, wire } from '../../server/wire.ts';
import { createCommandLog, type Flags } from '../command.ts';
import { explainDatabaseError } from '../exit-on-error.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';
import { printLines } from '../terminal.ts';
import type { Check, CheckResult, Facts, Level, SiteState } from './check.ts';
import { postChecks, publishedChecks, securityTxtChecks } from './checks/build.ts';
import { companyChecks } from './checks/company.ts';
import { dataChecks } from './checks/data.ts';
import { mailNameChecks, siteNameChecks } from './checks/names.ts';
import { settingChecks } from './checks/settings.ts';
import { createNetwork, type Endpoint } from './network.ts';

const allChecks: Check[] = [
  ...companyChecks,
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
  const found = await runChecks({
    config,
    now: new Date(),
    siteContent: readSite(join(root, 'content')),
    site,
    network: createNetwork({ dns, connect }),
    builtAt: build ? statSync(join(build, fingerprintFile)).mtime : undefined,
    staleBuild: findStaleReason(root, build, config),
    securityTxt: build && readIfThere(join(build, 'site', securityTxtPath)),
    publishedPosts: readPublishedPosts(build),
  });
  if ('domainDeps' in site) await site[Symbol.asyncDispose]();

  const missing = found.filter(({ state }) => state === 'missing');
  const musts = missing.filter(({ level }) => level === 'must').length;
  const unknown = found.filter(({ state }) => state === 'not checked').length;
  if (isJson) printJson({ isReady: musts === 0, lines: found });
  else printLines(found.toSorted((a, b) => sortOrder(a) - sortOrder(b)).map(formatReport));
  const rest = `${formatCount(missing.length - musts, 'recommendation')} open, ${unknown} not checked`;
  if (musts > 0) printError(`not ready: ${formatCount(musts, 'required check')} failed; ${rest}`);
  else printNote(`Ready: all required checks passed; ${rest}`);
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

export function runChecks(facts: Facts, checks: readonly Check[] = allChecks): Promise<CheckReport[]> {
  const isStatic = facts.config.contactEndpoint !== undefined;
  return Promise.all(
    checks
      .filter(({ needsServer }) => !(needsServer && isStatic))
      .map(async ({ name, level, reason, run }) => ({
        name,
        level,
        reason,
        ...(await runCheck(run, facts)),
      })),
  );
}

async function runCheck(run: Check['run'], facts: Facts): Promise<CheckResult> {
  try {
    return await run(facts);
  } catch (error) {
    return { state: 'not checked', found: error instanceof Error ? error.message : String(error) };
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
  return level === 'must' ? 0 : 1;
}

function formatReport({ state, level, name, found, reason }: CheckReport): string {
  const end = /[.?!]$/.test(found) ? '' : '.';
  const line = `${state.padEnd(13)}${level.padEnd(8)}${name}: ${found}${end}`;
  return state === 'missing' ? `${line} ${reason}` : line;
}

export function parseEndpoint(given: string): Endpoint {
  const [, six, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+|[0-9a-f:]+))(?::(\d{1,5}))?$/i.exec(given) ?? [];
  const address = six ?? plain ?? '';
  if (!isIP(address))
    throw new InvalidArgumentError('Expected an IP address such as 192.0.2.1 or 192.0.2.1:5353.');
  return { address, ...(port && { port: Number(port) }) };
}
