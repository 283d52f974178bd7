import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../figures.ts';
import { checkAnswers } from './check-answers.ts';
import { chooseServerPlace } from './cores.ts';
import { ensureBuild } from './ensure-build.ts';
import { print, readNumbers, waitForSignal } from './options.ts';
import { startNginx } from './servers/nginx.ts';
import { type BenchServer, startOurs } from './servers/ours.ts';
import { startSirv } from './servers/sirv.ts';
import { cpuMicros, over, rate, ratio, takeTurns } from './turns.ts';

const path = '/contact';

/** Our server, nginx and sirv over the same files, on the same core, in turns. */
export async function benchServe(args: string[]): Promise<Figure[]> {
  const options = readNumbers(args, { seconds: [4, 1, 60], rounds: [5, 1, 100], connections: [64, 1, 500] });
  const outDir = await ensureBuild(print);
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  const folder = mkdtempSync(join(tmpdir(), 'bench-serve-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  // A copy, so that a build made meanwhile cannot pull the files from under those who read them per request.
  const site = join(folder, 'site');
  cpSync(join(outDir, 'site'), site, { recursive: true, preserveTimestamps: true });
  const place = chooseServerPlace();
  const servers: BenchServer[] = [];
  for (const start of [startOurs, startNginx, startSirv]) {
    const started = await start({ folder, site, place });
    if (!started) continue;
    cleanup.defer(started.stop);
    servers.push(started);
  }
  const contestants = servers.map(server => ({ name: server.name, servers: [server] }));
  const turns = takeTurns(contestants, options, { path }, () => checkAnswers(servers, path));
  const rounds = await Promise.race([turns, interrupted]);
  return [
    {
      name: "our CPU time per request / nginx's",
      values: ratio(rounds, ['ours', 'nginx'], cpuMicros),
      goal: 'at most 2.5',
    },
    {
      name: "our CPU time per request / sirv's",
      values: ratio(rounds, ['ours', 'sirv'], cpuMicros),
      goal: 'at most 0.333',
    },
    { name: 'CPU time per request', unit: 'µs', values: over(rounds, 'ours', cpuMicros) },
    { name: 'requests a second, one core', values: over(rounds, 'ours', rate) },
    { name: 'p99 of a request', unit: 'ms', values: over(rounds, 'ours', ({ p99Ms }) => p99Ms) },
  ].filter(({ values }) => values.every(Number.isFinite));
}
