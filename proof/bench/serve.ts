import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure } from '../figures.ts';
import { checkAnswers } from './check-answers.ts';
import { choosePlaces } from './cores.ts';
import { readCpuSeconds } from './cpu.ts';
import { ensureBuild } from './ensure-build.ts';
import { type Generator, startGenerator } from './generator.ts';
import type { LoadResult } from './load.ts';
import { parseNumber, print, waitForSignal } from './options.ts';
import { startNginx } from './servers/nginx.ts';
import { startOurs } from './servers/ours.ts';
import type { BenchServer, Setting, Started } from './servers/server.ts';
import { startSirv } from './servers/sirv.ts';

const target = '/contact';
const warmUpSeconds = 2.5;

/** Our server, nginx and sirv over the same files, on the same core, in turns. */
export async function benchServe(args: string[]): Promise<Figure[]> {
  const options = readOptions(args);
  const outDir = await ensureBuild(print);
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  const folder = mkdtempSync(join(tmpdir(), 'bench-serve-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  // A copy, so that a build made meanwhile cannot pull the files from under those who read them per request.
  cpSync(join(outDir, 'site'), join(folder, 'site'), { recursive: true, preserveTimestamps: true });

  const places = choosePlaces();
  print(places.said);
  const servers: BenchServer[] = [];
  const starts: ((setting: Setting) => Promise<Started>)[] = [startOurs, startNginx, startSirv];
  for (const start of starts) {
    const started = await start({ folder, site: join(folder, 'site'), place: places.server });
    if ('absent' in started) {
      print(started.absent);
      continue;
    }
    cleanup.defer(started.stop);
    servers.push(started);
  }
  const generator = await startGenerator(places.load);
  cleanup.defer(generator.stop);

  const rounds = await Promise.race([takeRounds(servers, generator, options), interrupted]);
  return measureRounds(rounds);
}

type Turn = LoadResult & { cpuSeconds: number | undefined };
/** One turn of each server, by its name. */
type Round = Record<string, Turn>;
type Options = { seconds: number; rounds: number; connections: number };

function measureRounds(rounds: Round[]): Figure[] {
  const ratio = (other: string, goal: string): Figure => ({
    name: `our CPU time per request / ${other}'s`,
    goal,
    values: rounds.map(round => cpuMicros(round.ours) / cpuMicros(round[other])),
  });
  const over = (pick: (turn: Turn) => number) => rounds.flatMap(({ ours }) => (ours ? [pick(ours)] : []));
  return [
    ratio('nginx', 'at most 2.5'),
    ratio('sirv', 'at most 0.333'),
    { name: 'CPU time per request', unit: 'µs', values: over(cpuMicros) },
    { name: 'requests a second, one core', values: over(({ requests, seconds }) => requests / seconds) },
    { name: 'p99 of a request', unit: 'ms', values: over(({ p99Ms }) => p99Ms) },
  ].filter(({ values }) => values.length > 0 && values.every(Number.isFinite));
}

function cpuMicros(turn: Turn | undefined): number {
  return turn?.cpuSeconds === undefined ? Number.NaN : (turn.cpuSeconds / turn.requests) * 1e6;
}

/** The order turns by one each round, so that no server always follows the same neighbour. */
async function takeRounds(servers: BenchServer[], generator: Generator, options: Options): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let number = 0; number <= options.rounds; number++) {
    const isWarmUp = number === 0;
    const answers = await checkAnswers(servers, target);
    const round: Round = {};
    const first = number % servers.length;
    for (const server of [...servers.slice(first), ...servers.slice(0, first)]) {
      const before = readCpuSeconds(server.pid);
      const load = await generator.run({
        ports: [server.port],
        path: target,
        connections: options.connections,
        seconds: isWarmUp ? warmUpSeconds : options.seconds,
        bodyBytes: answers.bodyBytes,
      });
      const after = readCpuSeconds(server.pid);
      const cpuSeconds = before === undefined || after === undefined ? undefined : after - before;
      round[server.name] = { cpuSeconds, ...load };
    }
    print(isWarmUp ? 'Warmed up' : `Round ${number} of ${options.rounds} done`);
    if (!isWarmUp) rounds.push(round);
  }
  return rounds;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '64' },
    },
  });
  return {
    seconds: parseNumber('seconds', values.seconds, 0.5, 60),
    rounds: Math.round(parseNumber('rounds', values.rounds, 1, 100)),
    connections: Math.round(parseNumber('connections', values.connections, 1, 500)),
  };
}
