import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkAnswers } from './check-answers.ts';
import { choosePlaces } from './cores.ts';
import { readCpuSeconds } from './cpu.ts';
import { ensureBuild } from './ensure-build.ts';
import type { Measured } from './figures.ts';
import { type Generator, startGenerator } from './generator.ts';
import { say, waitForSignal, within } from './options.ts';
import { figuresOfServe, type Round, reportServe } from './serve-report.ts';
import { startNginx } from './servers/nginx.ts';
import { startOurs } from './servers/ours.ts';
import type { BenchServer, Setting, Started } from './servers/server.ts';
import { startSirv } from './servers/sirv.ts';

const outDir = resolve(import.meta.dirname, '../dist');
const target = '/contact';
const warmUpSeconds = 2.5;

/** Our server, nginx and sirv over the same files, on the same core, in turns. */
export async function benchServe(args: string[]): Promise<Measured> {
  const options = readOptions(args);
  await ensureBuild(outDir, say);
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  const folder = mkdtempSync(join(tmpdir(), 'bench-serve-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  // A copy, so that a build made meanwhile cannot pull the files from under those who read them per request.
  cpSync(join(outDir, 'site'), join(folder, 'site'), { recursive: true, preserveTimestamps: true });

  const places = choosePlaces();
  say(places.said);
  const servers: BenchServer[] = [];
  const starts: ((setting: Setting) => Promise<Started>)[] = [startOurs, startNginx, startSirv];
  for (const start of starts) {
    const started = await start({ folder, site: join(folder, 'site'), place: places.server });
    if ('absent' in started) {
      say(started.absent);
      continue;
    }
    cleanup.defer(started.stop);
    servers.push(started);
  }
  const generator = await startGenerator(places.load);
  cleanup.defer(generator.stop);

  const rounds = await Promise.race([takeRounds(servers, generator, options), interrupted]);
  const report = reportServe(rounds, { target, ...options });
  say(`\n${report}`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ target, options, rounds }, null, 1)}\n`);
  return { report, figures: figuresOfServe(rounds) };
}

type Options = { seconds: number; rounds: number; connections: number; json: string | undefined };

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
      round[server.name] = {
        version: server.version,
        headBytes: answers.headBytes[server.name] ?? 0,
        bodyBytes: answers.bodyBytes,
        cpuSeconds,
        ...load,
      };
    }
    say(isWarmUp ? 'Warmed up' : `Round ${number} of ${options.rounds} done`);
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
      json: { type: 'string' },
    },
  });
  return {
    seconds: within('seconds', values.seconds, 0.5, 60),
    rounds: Math.round(within('rounds', values.rounds, 1, 100)),
    connections: Math.round(within('connections', values.connections, 1, 500)),
    json: values.json,
  };
}
