import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createPostgres } from '../../tests/harness/databases.ts';
import { startPostgres } from '../../tests/harness/postgres.ts';
import type { Figure } from '../figures.ts';
import { checkAnswers } from './check-answers.ts';
import { readCpuSeconds } from './cpu.ts';
import { ensureBuild } from './ensure-build.ts';
import { startGenerator } from './generator.ts';
import { measureDisk } from './intake/measure-disk.ts';
import { bodyBytes, receivers } from './intake/posting.ts';
import { message } from './intake/record.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import { parseNumber, print, waitForSignal } from './options.ts';
import { startOurs } from './servers/ours.ts';
import type { BenchServer } from './servers/server.ts';

const page = '/contact';
const warmUpSeconds = 2;
const anywhere = { prefix: [] };
const tmpfs = 0x01021994;

/** One process on SQLite, and one to N on one PostgreSQL, in turns: what they hold, and whose CPU time it takes. */
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

/** CPU time of all server processes together, and of PostgreSQL with all of its own. */
type Turn = LoadResult & { serverSeconds: number; databaseSeconds: number };
type ScaleRound = { fsyncs: number; turns: Record<string, { processes: number; posts: Turn; pages: Turn }> };

/** CPU time per message is what carries over to other machines: servers, database and generator share the cores here. */
function measureSetup(rounds: ScaleRound[], setup: string): Figure[] {
  const over = (kind: 'posts' | 'pages', pick: (turn: Turn) => number) =>
    rounds.flatMap(({ turns }) => (turns[setup] ? [pick(turns[setup][kind])] : []));
  const rate = ({ requests, seconds }: LoadResult) => requests / seconds;
  const figures: Figure[] = [
    { name: 'durable posts a second', values: over('posts', rate) },
    { name: 'p99 of posts', unit: 'ms', values: over('posts', ({ p99Ms }) => p99Ms) },
    {
      name: 'CPU of servers per message',
      unit: 'µs',
      values: over('posts', ({ serverSeconds, requests }) => (serverSeconds * 1e6) / requests),
    },
    {
      name: 'CPU of PostgreSQL per message',
      unit: 'µs',
      values: over('posts', ({ databaseSeconds, requests }) => (databaseSeconds * 1e6) / requests),
    },
    { name: 'pages a second', values: over('pages', rate) },
  ];
  return figures
    .filter(({ values }) => values.every(Number.isFinite) && values.some(value => value > 0))
    .map(figure => ({ ...figure, name: `${setup}: ${figure.name}` }));
}

type RunningServers = { alone: BenchServer; together: BenchServer[]; database: number; run: Run };
type Run = (order: LoadOrder) => Promise<LoadResult>;

/** All of them from the beginning, so that they can take turns; those that have none wait. */
async function startAll(
  folder: string,
  options: Options,
  cleanup: AsyncDisposableStack,
): Promise<RunningServers> {
  const env = { RATE_LIMIT: 'off', ...receivers };
  const start = async (more: Record<string, string> = {}) => {
    const server = await startOurs({ folder, place: anywhere }, { env: { ...env, ...more } });
    cleanup.defer(server.stop);
    return server;
  };
  const postgres = await startPostgres({ fsync: 'on' });
  cleanup.defer(postgres.stop);
  const shared = await createPostgres(postgres.url);
  cleanup.defer(shared.remove);
  const [{ data_directory: data } = {}] = await shared.query('show data_directory');
  const database = Number.parseInt(readFileSync(join(String(data), 'postmaster.pid'), 'utf8'), 10);
  const alone = await start();
  const together: BenchServer[] = [];
  while (together.length < Math.max(...options.processes)) together.push(await start(shared.env));
  const generator = await startGenerator(anywhere);
  cleanup.defer(generator.stop);
  return { alone, together, database, run: generator.run };
}

/** The order turns by one each round, so that none always follows the same neighbour. */
async function takeRounds(fixture: RunningServers, folder: string, options: Options): Promise<ScaleRound[]> {
  const { alone, together, database, run } = fixture;
  const { bodyBytes: pageBytes } = await checkAnswers([alone], page);
  const setups = [
    { name: 'SQLite, 1', servers: [alone], database: undefined },
    ...options.processes.map(count => ({
      ...{ name: `PostgreSQL, ${count}`, servers: together.slice(0, count), database },
    })),
  ];
  const rounds: ScaleRound[] = [];
  for (let number = 0; number <= options.rounds; number++) {
    const seconds = number === 0 ? warmUpSeconds : options.seconds;
    const round: ScaleRound = { fsyncs: await measureDisk(anywhere, folder), turns: {} };
    const first = number % setups.length;
    for (const setup of [...setups.slice(first), ...setups.slice(0, first)]) {
      const ports = setup.servers.map(({ port }) => port);
      // As many for each: what a process stores together, and so what a message takes, depends on how many wait.
      const order = { ports, seconds, connections: options.connections * ports.length };
      const posts = { ...order, path: '/api/contact', bodyBytes, post: JSON.stringify(message) };
      const pages = { ...order, path: page, bodyBytes: pageBytes };
      round.turns[setup.name] = {
        processes: ports.length,
        posts: await load(setup, () => run(posts)),
        pages: await load(setup, () => run(pages)),
      };
    }
    print(number === 0 ? 'Warmed up' : `Round ${number} of ${options.rounds} done`);
    if (number > 0) rounds.push(round);
  }
  return rounds;
}

type Setup = { servers: BenchServer[]; database: number | undefined };

async function load({ servers, database }: Setup, work: () => Promise<LoadResult>): Promise<Turn> {
  const read = () => ({
    server: servers.reduce((sum, { pid }) => sum + (readCpuSeconds(pid) ?? Number.NaN), 0),
    database: database === undefined ? 0 : (readCpuSeconds(database) ?? Number.NaN),
  });
  const before = read();
  const result = await work();
  const after = read();
  return {
    ...result,
    serverSeconds: after.server - before.server,
    databaseSeconds: after.database - before.database,
  };
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
