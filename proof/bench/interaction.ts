import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../../tests/harness/browser.ts';
import { buildPublicSite } from '../../tests/harness/builds.ts';
import { findBrowser } from '../../tests/harness/find-browser.ts';
import type { Measurement } from '../figures.ts';
import { startPrinting } from './child.ts';
import { type FirstTap, moments, tapFirst, targets } from './interaction/first-taps.ts';
import { measureNavigations, type Navigation } from './interaction/navigations.ts';
import { parseNumber, print, waitForSignal } from './options.ts';

const root = resolve(import.meta.dirname, '../..');

/** INP of a first tap by the web-vitals library, and how soon a link shows the next page, at a quarter of the speed. */
export async function benchInteraction(args: string[]): Promise<Record<string, Measurement>> {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const runs = Math.round(parseNumber('runs', values.runs ?? (values.quick ? '1' : '7'), 1, 100));
  const outDir = await buildPublicSite();
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  const command = [process.execPath, 'proof/bench/lighthouse/serve-contestants.ts', outDir];
  const { printed, stop } = await startPrinting({ prefix: [] }, command, { cwd: root }, /^Serving (.*)$/m);
  cleanup.defer(stop);
  const measured = await Promise.race([takeRounds(JSON.parse(printed).ours, runs), interrupted]);
  const { taps, navigations, program } = measured;
  const first = Map.groupBy(taps, ({ name, moment }) => `INP: ${name}, ${moment} React`);
  const byPointer = Map.groupBy(
    navigations,
    ({ pointer }) => `from a click to the next heading by ${pointer}`,
  );
  const timing = { unit: 'ms', goal: 'at most 150' };
  const figures = [
    ...[...first].map(([name, found]) => ({ name, values: found.map(({ inp }) => inp), ...timing })),
    ...[...byPointer].map(([name, found]) => ({ name, values: found.map(({ ms }) => ms), ...timing })),
  ];
  return { interaction: { figures, program } };
}

/** Browsers of its own for each round, so that none is warmer than another. */
async function takeRounds(
  origin: string,
  runs: number,
): Promise<{ taps: FirstTap[]; navigations: Navigation[]; program: string }> {
  const taps: FirstTap[] = [];
  const navigations: Navigation[] = [];
  // As in the bench of Lighthouse.
  let program = '';
  const found = await findBrowser(process.env.BROWSER ?? 'system');
  for (let round = 0; round < runs; round++) {
    await using phone = await launchBrowser(found);
    program = `Chromium ${phone.version()}`;
    for (const target of targets)
      for (const moment of moments) {
        taps.push(await tapFirst(phone, origin, target, moment));
      }
    await using desk = await launchBrowser(found);
    for (const [pointer, browser] of [
      ['mouse', desk],
      ['finger', phone],
    ] as const)
      navigations.push(...(await measureNavigations(browser, origin, pointer)));
    print(`Round ${round + 1} of ${runs} done`);
  }
  return { taps, navigations, program };
}
