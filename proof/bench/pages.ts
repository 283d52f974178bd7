import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { FileEntry } from '../../src/server/static-files.ts';
import { buildPublicSite } from '../../tests/harness/public-site.ts';
import type { Figure } from '../figures.ts';
import { startPrinting } from './child.ts';
import { parseNumber, print, waitForSignal } from './options.ts';
import { measurePower, openBrowser } from './pages/browser.ts';
import { type Contestant, contestants, isPage, makeContestants, readEntries } from './pages/contestants.ts';
import { listShortfalls, measurePages, type Visit } from './pages/figures.ts';
import { type Asked, type Device, devices, type Figures, slowdownFor, visitPage } from './pages/visit.ts';
import { undisturbed } from './undisturbed.ts';

const root = resolve(import.meta.dirname, '../..');

/** A page to measure, and the audits that it fails by design. */
type Page = { path: string; skipAudits: string[] };
type Options = {
  runs: number;
  devices: Device[];
  pages: string[] | undefined;
  wireMs: Record<Device, number>;
};

/** Where each contestant is for each device, behind a wire of its own. */
type Origins = Record<Device, Record<Contestant, string>>;

/** The round trips that Lighthouse reckons with: what comes before a paint here then comes before it there. */
const roundTrips: Record<Device, number> = { mobile: 150, desktop: 40 };

/** Lighthouse over every page: the site, its words without style or script, and the site with React at load, in turns. */
export async function benchPages(args: string[]): Promise<Record<string, Figure[]>> {
  const options = readOptions(args);
  const built = await buildPublicSite();
  const pages = choosePages(built, options.pages);
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  const folder = mkdtempSync(join(tmpdir(), 'bench-pages-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const outDirs = await makeContestants(built, folder);
  const origins = {} as Origins;
  for (const device of options.devices)
    origins[device] = await serveAll(outDirs, options.wireMs[device], cleanup);
  const slowdown = slowdownFor(await measurePower());
  const visits = await Promise.race([takeRounds(pages, origins, slowdown, options), interrupted]);
  print(
    `CPU of the phone: ${slowdown} times slower. Audits of ours below full marks:\n${listShortfalls(visits)}`,
  );
  return Object.fromEntries(
    options.devices.map(device => [
      `lighthouse-${device}`,
      measurePages(
        visits.filter(visit => visit.device === device),
        device,
      ),
    ]),
  );
}

/** Contestants take turns on each page, and who begins changes each round. */
async function takeRounds(
  pages: Page[],
  origins: Origins,
  slowdown: number,
  options: Options,
): Promise<Visit[]> {
  const visits: Visit[] = [];
  for (let round = 0; round < options.runs; round++) {
    for (const { path, skipAudits } of pages) {
      for (const device of options.devices) {
        await using browser = await openBrowser(device);
        const first = round % contestants.length;
        for (const name of [...contestants.slice(first), ...contestants.slice(0, first)]) {
          const isControl = name !== 'ours';
          const asked = {
            url: origins[device][name] + path,
            device,
            port: browser.port,
            slowdown,
            isControl,
            skipAudits,
          };
          const figures = await undisturbed(`${name} ${path}, ${device}`, () => visitPatiently(asked));
          visits.push({ path, device, name, ...figures });
        }
      }
    }
    print(`Round ${round + 1} of ${options.runs} done`);
  }
  return visits;
}

/** A busy machine may keep a page from being painted in time: it is visited again, and said so. */
async function visitPatiently(asked: Asked): Promise<Figures> {
  for (let failures = 0; ; failures++) {
    try {
      return await visitPage(asked);
    } catch (error) {
      if (failures === 2) throw error;
      print(`${(error as Error).message}; once more`);
    }
  }
}

async function serveAll(
  outDirs: Record<Contestant, string>,
  wireMs: number,
  cleanup: AsyncDisposableStack,
): Promise<Record<Contestant, string>> {
  const given = Object.entries(outDirs).map(([name, outDir]) => `${name}=${outDir}`);
  const command = [process.execPath, 'proof/bench/pages/servers.ts', String(wireMs), ...given];
  const { printed, stop } = await startPrinting({ prefix: [] }, command, { cwd: root }, /^Serving (.*)$/m);
  cleanup.defer(stop);
  return JSON.parse(printed);
}

/** One address of each page that the site is made of, and one of none. */
function choosePages(built: string, wanted: string[] | undefined): Page[] {
  const entries = readEntries(built).filter(isPage);
  const found = new Map(
    entries.map(entry => [pageName(built, entry), entry]).reverse() as [string, FileEntry][],
  );
  const chosen = wanted
    ? wanted.map(path => entries.find(entry => entry.path === path) ?? notFound(entries, path))
    : [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  return chosen.map(entry => ({
    path: entry.kind === 'not-found' ? '/no-such-page' : entry.path,
    skipAudits: failsByDesign(entry, readFileSync(join(built, 'site', entry.file), 'utf8')),
  }));
}

function pageName(built: string, { file }: FileEntry): string {
  const [, name = file] = /data-page="([\w-]+)"/.exec(readFileSync(join(built, 'site', file), 'utf8')) ?? [];
  return name;
}

function notFound(entries: FileEntry[], path: string): FileEntry {
  const found = path === '/no-such-page' && entries.find(({ kind }) => kind === 'not-found');
  if (found) return found;
  throw new RangeError(`--pages has '${path}', expected of ${entries.map(entry => entry.path).join(', ')}`);
}

/** A page that is not to be found says so, and one that is not there is announced as an error. */
function failsByDesign({ kind }: FileEntry, text: string): string[] {
  if (kind === 'not-found') return ['is-crawlable', 'http-status-code', 'errors-in-console'];
  return /<meta [^>]*noindex/.test(text) ? ['is-crawlable'] : [];
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string' },
      pages: { type: 'string' },
      device: { type: 'string' },
      wire: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const { quick, device, pages = quick ? '/' : undefined, runs = quick ? '1' : '5' } = values;
  const wanted = devices.filter(one => one === (device ?? (quick ? 'mobile' : one)));
  if (wanted.length === 0) throw new RangeError(`--device is '${device}', expected ${devices.join(' or ')}`);
  return {
    runs: Math.round(parseNumber('runs', runs, 1, 50)),
    devices: wanted,
    pages: pages?.split(','),
    wireMs: values.wire === undefined ? roundTrips : sameFor(parseNumber('wire', values.wire, 0, 1000)),
  };
}

function sameFor(wireMs: number): Record<Device, number> {
  return { mobile: wireMs, desktop: wireMs };
}
