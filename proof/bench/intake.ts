import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Figure } from '../figures.ts';
import { startOnPrintedPort } from './child.ts';
import { chooseServerPlace } from './cores.ts';
import { ensureBuild } from './ensure-build.ts';
import { measureDisk } from './intake/measure-disk.ts';
import { message, unreachableReceivers } from './intake/record.ts';
import { print, readNumbers, waitForSignal } from './options.ts';
import { startOurs } from './servers/ours.ts';
import { cpuMicros, over, rate, ratio, takeTurns } from './turns.ts';

const bareServer = join(import.meta.dirname, 'intake/bare-server.ts');

/** Durable posts of ours beside a bare server with a group commit and the disk itself, on the same core, in turns. */
export async function benchIntake(args: string[]): Promise<Figure[]> {
  const options = readNumbers(args, { seconds: [5, 1, 60], rounds: [5, 1, 100], connections: [64, 1, 500] });
  await ensureBuild(print);
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  // On the disk that holds the project: a folder in memory would have no fsync to measure.
  const folder = mkdtempSync(join(resolve(import.meta.dirname, '../..'), '.cache/bench-intake-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const place = chooseServerPlace();
  const ours = await startOurs({ folder, place }, { RATE_LIMIT: 'off', ...unreachableReceivers });
  cleanup.defer(ours.stop);
  const command = [process.execPath, bareServer, join(folder, 'bare.sqlite')];
  const bare = await startOnPrintedPort(place, command, {}, /port (\d+)/);
  cleanup.defer(bare.stop);
  const contestants = [
    { name: 'ours', servers: [ours] },
    { name: 'bare', servers: [bare] },
  ];
  const fsyncs: number[] = [];
  const order = { path: '/api/contact', post: JSON.stringify(message) };
  const turns = takeTurns(contestants, options, order, () => fsyncs.push(measureDisk(folder)));
  const rounds = await Promise.race([turns, interrupted]);
  const all: Figure[] = [
    { name: 'durable posts a second', values: over(rounds, 'ours', rate) },
    {
      name: 'posts / bare node:http with group commit',
      values: ratio(rounds, ['ours', 'bare'], rate),
      goal: 'at least 0.6',
    },
    { name: 'CPU time per post', unit: 'µs', values: over(rounds, 'ours', cpuMicros) },
    { name: 'CPU time per post, bare node:http', unit: 'µs', values: over(rounds, 'bare', cpuMicros) },
    { name: 'p99 of a post', unit: 'ms', values: over(rounds, 'ours', ({ p99Ms }) => p99Ms) },
    {
      name: 'p99 / bare node:http with group commit',
      values: ratio(rounds, ['ours', 'bare'], ({ p99Ms }) => p99Ms),
      goal: 'at most 1.5',
    },
    { name: "the disk's own fsyncs a second", values: fsyncs.slice(1) },
  ];
  return all.filter(({ values }) => values.every(Number.isFinite));
}
