import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type FileEntry, fileTable } from '../../src/core/http/static-files.ts';
import { buildPublicSite } from '../../tests/harness/builds.ts';
import { findBrowser } from '../../tests/harness/find-browser.ts';
import type { Measurement } from '../figures.ts';
import { startPrinting } from './child.ts';
import {
  type Contestant,
  listRuns,
  type Measured,
  measurePages,
  measureShifts,
} from './lighthouse/figures.ts';
import { type Device, devices, runLighthouse, type Setup } from './lighthouse/run-lighthouse.ts';
import { parseNumber, print, waitForSignal } from './options.ts';

const root = resolve(import.meta.dirname, '../..');

type Page = { path: string; isIndexed: boolean };
type Options = {
  runs: number;
  devices: Device[];
  paths: string[] | undefined;
  peer: string | undefined;
  isThrottled: boolean;
};

/**
 * Lighthouse as released over every page, the words of each alone and a peer's home page, in turns. In the machine's own
 * Chromium, as anyone would: that of npm is a headless shell, which has less to do. `--throttled` slows the line and the
 * processor down for real instead of computing it, for layout shifts.
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
  const pages = choosePages(built, options.paths);
  if (options.isThrottled) {
    const ours = listContestants(pages, JSON.parse(printed)).filter(
      ({ contestant }) => contestant === 'ours',
    );
    const setup: Setup = { device: 'mobile', browser, flags: ['--throttling-method=devtools'] };
    await Promise.race([takeTurns(ours, setup, options.runs), interrupted]);
    return { 'lighthouse-throttled': { figures: measureShifts(ours), ...describeRuns(ours) } };
  }
  for (const device of options.devices) {
    const measured = listContestants(pages, JSON.parse(printed));
    await Promise.race([takeTurns(measured, { device, browser, flags: [] }, options.runs), interrupted]);
    sections[`lighthouse-${device}`] = {
      figures: measurePages(measured, device),
      ...describeRuns(measured),
    };
  }
  return sections;
}

function describeRuns(measured: Measured[]) {
  return { rows: measured.map(listRuns), program: measured[0]?.runs[0]?.browser ?? '' };
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

async function takeTurns(measured: Waiting[], setup: Setup, runs: number): Promise<void> {
  for (let round = 1; round <= runs; round++) {
    for (const one of measured) one.runs.push(await runLighthouse(one.url, setup));
    print(`${setup.device}: round ${round} of ${runs} done`);
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
      throttled: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  });
  const {
    quick,
    throttled,
    device,
    peer,
    pages = quick ? '/' : undefined,
    runs = quick ? '1' : '5',
  } = values;
  const chosen = devices.filter(one => one === (device ?? (quick ? 'mobile' : one)));
  if (chosen.length === 0) throw new RangeError(`--device is '${device}', expected ${devices.join(' or ')}`);
  return {
    runs: Math.round(parseNumber('runs', runs, 1, 50)),
    devices: chosen,
    paths: pages?.split(','),
    peer,
    isThrottled: throttled,
  };
}
