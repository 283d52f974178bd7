import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../figures.ts';
import { startOnPrintedPort } from './child.ts';
import { chooseServerPlace } from './cores.ts';
import { ensureBuild } from './ensure-build.ts';
import { print, readNumbers, waitForSignal } from './options.ts';
import { startNginx } from './servers/nginx.ts';
import { type BenchServer, type Setting, startOurs } from './servers/ours.ts';
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
  const turns = takeTurns(contestants, options, { path }, () => checkAnswers(servers));
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

async function startSirv({ site, place }: Setting): Promise<BenchServer> {
  const command = [process.execPath, join(import.meta.dirname, 'servers/sirv-server.ts'), site];
  return { name: 'sirv', ...(await startOnPrintedPort(place, command, {}, /port (\d+)/)) };
}

/** Figures are only comparable when all send the same: 200, gzip, and as many bytes of the same page. */
async function checkAnswers(servers: readonly BenchServer[]): Promise<void> {
  const seen = new Set<string>();
  for (const { port } of servers) {
    const asked = { headers: { 'accept-encoding': 'gzip' }, signal: AbortSignal.timeout(10_000) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, asked);
    const { headers, status } = response;
    const sent = ['content-encoding', 'content-length'].map(name => headers.get(name));
    seen.add([status, ...sent, await response.text()].join(' '));
  }
  if (seen.size > 1 || ![...seen][0]?.startsWith('200 gzip '))
    throw new Error(`${servers.map(({ name }) => name)} do not all answer ${path} with the same gzip`);
}
