import { existsSync, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { readNotedPosts } from '../../build/blog/due-posts.ts';
import { readSite } from '../../content/blog/read-site.ts';
import type { Config } from '../../server/config.ts';
import { findMissingDatabase } from '../../server/missing-database.ts';
import { securityTxtPath } from '../../server/security-txt.ts';
import { createProcessLog, wire } from '../../server/wire.ts';
import { type Call, commonOptions, refuse } from '../command.ts';
import { explainStore } from '../complain.ts';
import { count, fail, note, print } from '../say.ts';
import type { Check, Desk, Facts, Finding, Level } from './check.ts';
import { lines } from './lines.ts';
import { createNetwork, type Place } from './network.ts';
import { printLines } from './print-lines.ts';

export const options = {
  ...commonOptions,
  dns: { type: 'string' },
  connect: { type: 'string' },
} as const;

export type Line = Pick<Check, 'name' | 'why'> & Finding & { level: Level };

const root = resolve(import.meta.dirname, '../../..');

export async function checkLaunch(config: Config, { values }: Call<typeof options>): Promise<void> {
  const dns = readPlace('--dns', values.dns);
  const connect = readPlace('--connect', values.connect);
  const { desk, close } = await openQuietly(config);
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
  await close();

  const missing = found.filter(({ state }) => state === 'missing');
  const musts = missing.filter(({ level }) => level === 'must').length;
  const unknown = found.filter(({ state }) => state === 'not checked').length;
  if (values.json) print({ isReady: musts === 0, lines: found });
  else printLines(found);
  const rest = `${count(missing.length - musts, 'line')} should be ready, ${unknown} not checked`;
  if (musts > 0)
    fail(`Not ready: ${count(musts, 'line')} must be ready and ${musts === 1 ? 'is' : 'are'} not; ${rest}.`);
  else note(`Nothing that must be there is missing; ${rest}.`);
}

/** A file of the build, where there is one. */
function readBuilt(path: string): string | undefined {
  const file = join(root, 'dist/site', path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Every line, in the order of the list; what cannot be found out is said, and holds nothing up. */
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

/** A database that cannot be opened is a line of the list, not the end of it. */
async function openQuietly(config: Config): Promise<{ desk: Desk; close(): Promise<void> }> {
  const close = async () => undefined;
  if (findMissingDatabase(config)) {
    return { desk: { why: 'there is no database yet', isBroken: false }, close };
  }
  try {
    const log = createProcessLog({ ...config, logLevel: 'error' });
    const wired = await wire(config, { log });
    return { desk: wired, close: async () => wired[Symbol.asyncDispose]() };
  } catch (error) {
    return { desk: { why: explainStore(error, config), isBroken: true }, close };
  }
}

function readPlace(name: string, value: string | undefined): Place | undefined {
  if (value === undefined) return undefined;
  const [, six, plain, port] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+|[0-9a-f:]+))(?::(\d{1,5}))?$/i.exec(value) ?? [];
  const address = six ?? plain ?? '';
  if (!isIP(address))
    refuse(`${name} is '${value}', expected an address such as 192.0.2.1 or 192.0.2.1:5353.`);
  return { address, ...(port && { port: Number(port) }) };
}
