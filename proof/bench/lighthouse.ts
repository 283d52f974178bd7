import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type FileEntry, fileTable } from '../../src/server/static-files.ts';
import { buildPublicSite } from '../../tests/harness/builds.ts';
import { findBrowser } from '../../tests/harness/find-browser.ts';
import type { Measurement } from '../figures.ts';
import { startPrinting } from './child.ts';
import { type Contestant, listRuns, type Measured, measurePages } from './lighthouse/figures.ts';
import { type Browser, type Device, devices, runLighthouse } from './lighthouse/run-lighthouse.ts';
import { parseNumber, print, waitForSignal } from './options.ts';

const root = resolve(import.meta.dirname, '../..');

type Page = { path: string; isIndexed: boolean };
type Options = { runs: number; devices: Device[]; paths: string[] | undefined; peer: string | undefined };

/**
 * Lighthouse as released over every page, the words of each alone and a peer's home page, in turns. In the machine's own
 * Chromium, as anyone would: that of npm is a headless shell, which has less to do.
 */
export async function benchLighthouse(args: string[]): Promise<Record<string, Measurement>> {
  const options = readOptions(args);
  const browser = await findBrowser(process.env.BROWSER ?? 'system');
  const built = await buildPublicSite();
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  const peer = options.peer ? [resolve(options.peer)] : [];
  const command = [process.execPath, 'proof/bench/lighthouse/serve-contestants.ts', built, ...peer];
  const { printed, stop } = await startPrinting({ prefix: [] }, command, { cwd: root }, /^Serving (.*)$/m);
  cleanup.defer(stop);
  const sections: Record<string, Measurement> = {};
  for (const device of options.devices) {
    const measured = listContestants(choosePages(built, options.paths), JSON.parse(printed));
    await Promise.race([takeTurns(measured, device, browser, options.runs), interrupted]);
    sections[`lighthouse-${device}`] = {
      figures: measurePages(measured, device),
      rows: measured.map(listRuns),
      program: measured[0]?.runs[0]?.browser ?? '',
    };
  }
  return sections;
}

type Waiting = Measured & { url: string };

function listContestants(pages: Page[], origins: Partial<Record<Contestant, string>>): Waiting[] {
  const { ours = '', bare = '', peer } = origins;
  const runs = () => ({ runs: [] });
  return [
    ...pages.flatMap(({ path, isIndexed }): Waiting[] => [
      { contestant: 'ours', path, isIndexed, url: ours + path, ...runs() },
      { contestant: 'bare', path, isIndexed, url: bare + path, ...runs() },
    ]),
    ...(peer
      ? [{ contestant: 'peer' as const, path: '/', isIndexed: true, url: `${peer}/`, ...runs() }]
      : []),
  ];
}

async function takeTurns(measured: Waiting[], device: Device, browser: Browser, runs: number): Promise<void> {
  for (let round = 1; round <= runs; round++) {
    for (const one of measured) one.runs.push(await runLighthouse(one.url, device, browser));
    print(`${device}: round ${round} of ${runs} done`);
  }
}

function choosePages(built: string, wanted: string[] | undefined): Page[] {
  const entries: FileEntry[] = JSON.parse(readFileSync(join(built, fileTable), 'utf8'));
  const pages = entries.filter(({ kind }) => kind === 'page');
  const chosen = pages.filter(({ path }) => wanted?.includes(path) ?? true);
  if (chosen.length === 0)
    throw new RangeError(`--pages names no page of ${pages.map(({ path }) => path).join(', ')}`);
  return chosen.map(({ path, file }) => ({
    path,
    isIndexed: !/<meta [^>]*noindex/.test(readFileSync(join(built, 'site', file), 'utf8')),
  }));
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string' },
      pages: { type: 'string' },
      device: { type: 'string' },
      peer: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const { quick, device, peer, pages = quick ? '/' : undefined, runs = quick ? '1' : '5' } = values;
  const chosen = devices.filter(one => one === (device ?? (quick ? 'mobile' : one)));
  if (chosen.length === 0) throw new RangeError(`--device is '${device}', expected ${devices.join(' or ')}`);
  return {
    runs: Math.round(parseNumber('runs', runs, 1, 50)),
    devices: chosen,
    paths: pages?.split(','),
    peer,
  };
}
