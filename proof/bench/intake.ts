import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure } from '../figures.ts';
import { startOnPrintedPort } from './child.ts';
import { choosePlaces } from './cores.ts';
import { readCpuSeconds } from './cpu.ts';
import { ensureBuild } from './ensure-build.ts';
import { type Generator, startGenerator } from './generator.ts';
import { measureDisk } from './intake/measure-disk.ts';
import { bodyBytes, receivers } from './intake/posting.ts';
import { message } from './intake/record.ts';
import type { LoadResult } from './load.ts';
import { startOurs } from './servers/ours.ts';

const here = join(import.meta.dirname, 'intake');

/** Durable posts of ours beside a bare server with a group commit and the disk itself, on the same core, in turns. */
export async function benchIntake(args: string[]): Promise<Figure[]> {
  const options = readOptions(args);
  await ensureBuild(print);
  await using cleanup = new AsyncDisposableStack();
  // On the disk that holds the project: a folder in memory would have no fsync to measure.
  const folder = mkdtempSync(join(resolve(import.meta.dirname, '../..'), '.cache/bench-intake-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const places = choosePlaces();
  print(places.said);
  if (options.diskMs > 0) {
    places.server.prefix.push(...slowDisk(options.diskMs));
    print(`Every fsync takes ${options.diskMs} ms longer than it does here`);
  }

  const ours = await startOurs(
    { folder, place: places.server },
    { RATE_LIMIT: 'off', ...receivers, LOG_LEVEL: options.log },
  );
  cleanup.defer(ours.stop);
  const bare = await startOnPrintedPort(
    places.server,
    [process.execPath, join(here, 'bare-server.ts'), join(folder, 'bare.sqlite')],
    {},
    /port (\d+)/,
  );
  cleanup.defer(bare.stop);
  const generator = await startGenerator(places.load);
  cleanup.defer(generator.stop);

  const post = (server: Server, seconds: number) => load(generator, server, seconds, options.connections);
  for (const server of [ours, bare]) await post(server, 3);
  print('Warmed up');
  const rounds: IntakeRound[] = [];
  for (let number = 1; number <= options.rounds; number++) {
    const fsyncs = await measureDisk(places.server, folder);
    const turns = new Map<Server, Turn>();
    for (const server of number % 2 ? [ours, bare] : [bare, ours]) {
      turns.set(server, await post(server, options.seconds));
    }
    rounds.push({ fsyncs, ours: turns.get(ours) as Turn, bare: turns.get(bare) as Turn });
    print(`Round ${number} of ${options.rounds} done`);
  }
  return measureRounds(rounds);
}

type Turn = LoadResult & { cpuSeconds: number | undefined };
type IntakeRound = { fsyncs: number; ours: Turn; bare: Turn };

function measureRounds(rounds: IntakeRound[]): Figure[] {
  const over = (pick: (round: IntakeRound) => number) => rounds.map(pick).filter(Number.isFinite);
  const rate = ({ requests, seconds }: LoadResult) => requests / seconds;
  const micros = ({ cpuSeconds = Number.NaN, requests }: Turn) => (cpuSeconds / requests) * 1e6;
  const all: Figure[] = [
    { name: 'durable posts a second', values: over(({ ours }) => rate(ours)) },
    {
      name: 'posts / bare node:http with group commit',
      values: over(({ ours, bare }) => rate(ours) / rate(bare)),
      goal: 'at least 0.6',
    },
    { name: 'CPU time per post', unit: 'µs', values: over(({ ours }) => micros(ours)) },
    { name: 'CPU time per post, bare node:http', unit: 'µs', values: over(({ bare }) => micros(bare)) },
    { name: 'p99 of a post', unit: 'ms', values: over(({ ours }) => ours.p99Ms) },
    {
      name: 'p99 / bare node:http with group commit',
      values: over(({ ours, bare }) => ours.p99Ms / bare.p99Ms),
      goal: 'at most 1.5',
    },
    { name: "the disk's own fsyncs a second", values: over(({ fsyncs }) => fsyncs) },
  ];
  return all.filter(({ values }) => values.length > 0);
}

type Server = { pid: number; port: number };

async function load(
  generator: Generator,
  { pid, port }: Server,
  seconds: number,
  connections: number,
): Promise<Turn> {
  const before = readCpuSeconds(pid);
  const post = JSON.stringify(message);
  const result = await generator.run({
    ...{ ports: [port], path: '/api/contact', connections, seconds, bodyBytes, post },
  });
  const after = readCpuSeconds(pid);
  return { ...result, cpuSeconds: before === undefined || after === undefined ? undefined : after - before };
}

/** strace makes the disk of every contestant as slow as those that most sites have; it stops them for nothing else. */
function slowDisk(ms: number): string[] {
  const inject = `inject=fsync,fdatasync:delay_exit=${ms * 1000}`;
  return [
    'strace',
    '-D',
    '-f',
    '-qq',
    '--seccomp-bpf',
    '-o',
    '/dev/null',
    '-e',
    'trace=fsync,fdatasync',
    '-e',
    inject,
  ];
}

type Options = {
  diskMs: number;
  seconds: number;
  rounds: number;
  connections: number;
  log: string;
};

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '64' },
      'disk-ms': { type: 'string', default: '0' },
      log: { type: 'string', default: 'info' },
    },
  });
  return {
    diskMs: Number(values['disk-ms']),
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    connections: Number(values.connections),
    log: values.log,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
