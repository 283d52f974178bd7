import { existsSync, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readNotedPosts } from '../../build/blog/due-posts.ts';
import { readSite } from '../../content/blog/read-site.ts';
import type { Config } from '../../server/config.ts';
import { findMissingDatabase } from '../../server/readiness.ts';
import { securityTxtPath } from '../../server/security-txt.ts';
import type { Wired } from '../../server/wire.ts';
import { type Flags, wireQuietly } from '../command.ts';
import { count, fail, note, print } from '../print.ts';
import { explainStore } from '../print-error.ts';
import { printLines } from '../terminal.ts';
import type { Check, Desk, Facts, Finding, Level } from './check.ts';
import { postLines, securityTxtLines } from './checks/build.ts';
import { companyLines } from './checks/company.ts';
import { dataLines } from './checks/data.ts';
import { mailNameLines, siteNameLines } from './checks/names.ts';
import { settingLines } from './checks/settings.ts';
import { createNetwork, type Place } from './network.ts';

const lines: Check[] = [
  ...companyLines,
  ...settingLines,
  ...securityTxtLines,
  ...postLines,
  ...dataLines,
  ...siteNameLines,
  ...mailNameLines,
];

export type Line = Pick<Check, 'name' | 'why'> & Finding & { level: Level };

const root = resolve(import.meta.dirname, '../../..');

type Values = Flags<'json'> & { dns?: Place | undefined; connect?: Place | undefined };

export async function checkLaunch(config: Config, { dns, connect, json: isJson }: Values): Promise<void> {
  const desk = await openDesk(config);
  const found = await lookAtAll({
    config,
    now: new Date(),
    words: readSite(join(root, 'content'), { withDrafts: false }),
    desk,
    network: createNetwork({ dns, connect }),
    builtAt: statSync(join(root, 'dist/build.json'), { throwIfNoEntry: false })?.mtime,
    securityTxt: readBuilt(securityTxtPath),
    notedPosts: readNotedPosts(join(root, 'dist')),
  });
  if ('store' in desk) await desk[Symbol.asyncDispose]();

  const missing = found.filter(({ state }) => state === 'missing');
  const musts = missing.filter(({ level }) => level === 'must').length;
  const unknown = found.filter(({ state }) => state === 'not checked').length;
  if (isJson) print({ isReady: musts === 0, lines: found });
  else printLines(found.toSorted((a, b) => urgency(a) - urgency(b)).map(describe));
  const rest = `${count(missing.length - musts, 'line')} should be ready, ${unknown} not checked`;
  if (musts > 0)
    fail(`Not ready: ${count(musts, 'line')} must be ready and ${musts === 1 ? 'is' : 'are'} not; ${rest}.`);
  else note(`Nothing that must be there is missing; ${rest}.`);
}

function readBuilt(path: string): string | undefined {
  const file = join(root, 'dist/site', path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** A check that throws becomes 'not checked' with its reason. */
export function lookAtAll(facts: Facts, checks: readonly Check[] = lines): Promise<Line[]> {
  const isStatic = facts.config.contactEndpoint !== undefined;
  return Promise.all(
    checks
      .filter(({ isOfServer }) => !(isOfServer && isStatic))
      .map(async ({ name, level, why, look }) => ({ name, level, why, ...(await lookAt(look, facts)) })),
  );
}

async function lookAt(look: Check['look'], facts: Facts): Promise<Finding> {
  try {
    return await look(facts);
  } catch (error) {
    return { state: 'not checked', found: error instanceof Error ? error.message : String(error) };
  }
}

async function openDesk(config: Config): Promise<Wired | Exclude<Desk, { store: unknown }>> {
  if (findMissingDatabase(config)) return { why: 'there is no database yet', isBroken: false };
  return wireQuietly(config).catch(error => ({ why: explainStore(error, config), isBroken: true }));
}

function urgency({ state, level }: Line): number {
  if (state === 'ready') return 3;
  if (state === 'not checked') return 2;
  return level === 'must' ? 0 : 1;
}

function describe({ state, level, name, found, why }: Line): string {
  const end = /[.?!]$/.test(found) ? '' : '.';
  const reason = state === 'missing' ? ` ${why}` : '';
  return `${state.padEnd(13)}${level.padEnd(8)}${name}: ${found}${end}${reason}`;
}

export function readPlace(given: string): Place {
  const [, six, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+|[0-9a-f:]+))(?::(\d{1,5}))?$/i.exec(given) ?? [];
  const address = six ?? plain ?? '';
  if (!isIP(address))
    throw new InvalidArgumentError('Expected an address such as 192.0.2.1 or 192.0.2.1:5353.');
  return { address, ...(port && { port: Number(port) }) };
}
