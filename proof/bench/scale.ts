import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createPostgres } from '../../tests/harness/databases.ts';
import { startPostgres } from '../../tests/harness/postgres.ts';
import type { Figure } from '../figures.ts';
import { ensureBuild } from './ensure-build.ts';
import { startGenerator } from './generator.ts';
import { measureDisk } from './intake/measure-disk.ts';
import { bodyBytes, receivers } from './intake/posting.ts';
import { message } from './intake/record.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import { parseNumber, print, waitForSignal } from './options.ts';
import { startOurs } from './servers/ours.ts';
import type { BenchServer } from './servers/server.ts';

const warmUpSeconds = 2;
const anywhere = { prefix: [] };
const tmpfs = 0x01021994;

/** One process on SQLite, and one to N on one PostgreSQL, in turns: the messages they store. */
export async function benchScale(args: string[]): Promise<Figure[]> {
  const options = readOptions(args);
  await ensureBuild(print);
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  const folder = mkdtempSync(join(tmpdir(), 'bench-scale-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  if (statfsSync(folder).type === tmpfs)
    print(`${tmpdir()} is in memory, where nothing waits for a disk: set TMPDIR to a folder on one`);

  const fixture = await startAll(folder, options, cleanup);
  const measured = await Promise.race([takeRounds(fixture, folder, options), interrupted]);
  return [
    { name: "the disk's own fsyncs a second", values: measured.map(({ fsyncs }) => fsyncs) },
    ...Object.keys(measured[0]?.turns ?? {}).flatMap(name => measureSetup(measured, name)),
  ];
}

type ScaleRound = { fsyncs: number; turns: Record<string, LoadResult> };

function measureSetup(rounds: ScaleRound[], setup: string): Figure[] {
  const over = (pick: (turn: LoadResult) => number) =>
    rounds.flatMap(({ turns }) => (turns[setup] ? [pick(turns[setup])] : []));
  return [
    {
      name: `${setup}: durable posts a second`,
      values: over(({ requests, seconds }) => requests / seconds),
    },
    { name: `${setup}: p99 of posts`, unit: 'ms', values: over(({ p99Ms }) => p99Ms) },
  ];
}

type RunningServers = { alone: BenchServer; together: BenchServer[]; run: Run };
type Run = (order: LoadOrder) => Promise<LoadResult>;

/** All of them from the beginning, so that they can take turns; those that have none wait. */
async function startAll(
  folder: string,
  options: Options,
  cleanup: AsyncDisposableStack,
): Promise<RunningServers> {
  const env = { RATE_LIMIT: 'off', ...receivers };
  const start = async (more: Record<string, string> = {}) => {
    const server = await startOurs({ folder, place: anywhere }, { ...env, ...more });
    cleanup.defer(server.stop);
    return server;
  };
  const postgres = await startPostgres({ fsync: 'on' });
  cleanup.defer(postgres.stop);
  const shared = await createPostgres(postgres.url);
  cleanup.defer(shared.remove);
  const alone = await start();
  const together: BenchServer[] = [];
  while (together.length < Math.max(...options.processes)) together.push(await start(shared.env));
  const generator = await startGenerator(anywhere);
  cleanup.defer(generator.stop);
  return { alone, together, run: generator.run };
}

/** The order turns by one each round, so that none always follows the same neighbour. */
async function takeRounds(fixture: RunningServers, folder: string, options: Options): Promise<ScaleRound[]> {
  const { alone, together, run } = fixture;
  const setups = [
    { name: 'SQLite, 1', servers: [alone] },
    ...options.processes.map(count => ({ name: `PostgreSQL, ${count}`, servers: together.slice(0, count) })),
  ];
  const rounds: ScaleRound[] = [];
  for (let number = 0; number <= options.rounds; number++) {
    const seconds = number === 0 ? warmUpSeconds : options.seconds;
    const round: ScaleRound = { fsyncs: await measureDisk(anywhere, folder), turns: {} };
    const first = number % setups.length;
    for (const setup of [...setups.slice(first), ...setups.slice(0, first)]) {
      const ports = setup.servers.map(({ port }) => port);
      // As many for each: what a process stores together, and so what a message takes, depends on how many wait.
      const connections = options.connections * ports.length;
      const post = JSON.stringify(message);
      round.turns[setup.name] = await run({
        ports,
        seconds,
        connections,
        path: '/api/contact',
        bodyBytes,
        post,
      });
    }
    print(number === 0 ? 'Warmed up' : `Round ${number} of ${options.rounds} done`);
    if (number > 0) rounds.push(round);
  }
  return rounds;
}

type Options = {
  processes: number[];
  seconds: number;
  rounds: number;
  connections: number;
};

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      processes: { type: 'string', default: '1,2,3' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '64' },
    },
  });
  const processes = values.processes
    .split(',')
    .map(count => Math.round(parseNumber('processes', count, 1, 32)));
  return {
    processes: [...new Set(processes)].toSorted((one, other) => one - other),
    seconds: parseNumber('seconds', values.seconds, 0.5, 60),
    rounds: Math.round(parseNumber('rounds', values.rounds, 1, 100)),
    connections: Math.round(parseNumber('connections', values.connections, 1, 500)),
  };
}
