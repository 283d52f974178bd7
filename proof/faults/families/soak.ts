import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { StartedProcess } from '../../../tests/harness/process.ts';
import type { Family, Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import { quantile, readProcess } from '../overload/watch.ts';
import { becomesTrueWithin } from '../tools.ts';

/** Half of what can be borne, for long: what is held must not grow, and nothing may be left behind. */
export const soak: Family = {
  name: 'soak',
  faults: [{ name: 'half load', databases: ['SQLite', 'PostgreSQL'], isLongOnly: true, run: hold }],
};

type Sample = {
  messages: number;
  memoryMb: number;
  /** Bytes in use once all garbage is gone. */
  live: number;
  handles: number;
  logMb: number;
  bytesEach: number;
  waiting: number;
};

async function hold(fixture: Fixture): Promise<Trial> {
  const seconds = fixture.scale(1200, 5);
  const memory = createLiveMemory(fixture);
  const server = await fixture.begin(memory.env);
  const address = server.url;
  const most = await findCapacity(fixture, address);
  const perSecond = Math.max(1, Math.floor(most / 2));
  const driver = fixture.drive({ connections: 16, perSecond, address: () => address });
  const samples: Sample[] = [];
  const everyMs = Math.max(500, (seconds * 1000) / 120);
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    await wait(everyMs);
    samples.push(await take(fixture, server, await memory.read(server)));
    // What the sheet was asked is of no use here, and would grow with every row.
    fixture.sheet.requests.length = 0;
  }
  const { acknowledged } = await driver.stop();
  await server.end();
  const problems = [...checkSamples(samples, seconds), ...driver.findOdd(200)];
  const left = listStrayFiles(fixture);
  if (left.length > 0) problems.push(`left behind: ${left.join(', ')}`);
  const notes = [
    `${most.toFixed(0)} messages a second stored and delivered; ${perSecond} a second for ${seconds} s, ${acknowledged} in all`,
    ...describe(samples),
  ];
  return { tries: 1, problems, notes };
}

/** Messages a second, from the first that is sent to the last that is delivered everywhere. */
async function findCapacity(fixture: Fixture, address: string): Promise<number> {
  const started = performance.now();
  const driver = fixture.drive({ connections: 16, address: () => address });
  await driver.acknowledgedMore(Math.max(500, fixture.scale(3000, 500)));
  const { acknowledged } = await driver.stop();
  while ((await countWaiting(fixture)) > 0) await wait(50);
  return (acknowledged * 1000) / (performance.now() - started);
}

async function countWaiting({ database }: Fixture): Promise<number> {
  const [row] = await database.query(
    "select count(*) as n from deliveries where state in ('waiting', 'sending')",
  );
  return Number(row?.n);
}

/** A process that tells what it holds when it is asked. */
function createLiveMemory({ env, database }: Fixture) {
  const file = join(database.dataDir, 'memory');
  const preloaded = `--import=${join(import.meta.dirname, '../drivers/live-memory.ts')}`;
  return {
    env: { NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} ${preloaded}`, FAULT_MEMORY: file },
    async read({ child }: StartedProcess): Promise<number> {
      rmSync(file, { force: true });
      child.kill('SIGUSR2');
      const keepsValue = () => statSync(file, { throwIfNoEntry: false }) !== undefined;
      if (!(await becomesTrueWithin(30_000, keepsValue)))
        throw new Error('the server does not tell what it holds');
      return Number(readFileSync(file, 'utf8'));
    },
  };
}

async function take(fixture: Fixture, { child }: StartedProcess, live: number): Promise<Sample> {
  const [row] = await fixture.database.query('select count(*) as n from messages');
  const size = await sizeOf(fixture);
  return {
    ...readProcess(child.pid),
    live,
    messages: Number(row?.n),
    logMb: sizeOfFile(fixture, 'wardhouse.sqlite-wal') / 1e6,
    bytesEach: size / Math.max(1, Number(row?.n)),
    waiting: await countWaiting(fixture),
  };
}

async function sizeOf(fixture: Fixture): Promise<number> {
  if (fixture.databaseName === 'SQLite') return sizeOfFile(fixture, 'wardhouse.sqlite');
  const [row] = await fixture.database.query('select pg_database_size(current_database()) as size');
  return Number(row?.size);
}

function sizeOfFile({ database }: Fixture, name: string): number {
  return statSync(join(database.dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
}

/** The log is moved into the database at 16 MB; a reader that is under way at that moment may put it off for a little. */
const largestLogMb = 48;
const maxWaiting = 2000;
/** What the machine has given to a process grows for as long as it warms up, and says nothing before that. */
const warmUpSeconds = 300;
/** Less than the shortest message needs in memory, and an allowance for other variation. */
const maxRetained = { bytesEach: 64, bytesInAll: 2.5e5 };

/** The last quarter beside the second: the first is the time in which a process warms up. */
function checkSamples(samples: Sample[], seconds: number): string[] {
  const problems: string[] = [];
  const of = (name: keyof Sample, quarter: 1 | 3) =>
    quantile(
      quarterOf(samples, quarter).map(sample => sample[name]),
      0.5,
    );
  const grown = (name: keyof Sample, allowed: number, unit: string) => {
    const [early, late] = [of(name, 1), of(name, 3)];
    if (late > early + allowed) problems.push(`${unit}: ${early.toFixed(0)} early, ${late.toFixed(0)} late`);
  };
  if (seconds >= warmUpSeconds) grown('memoryMb', Math.max(30, of('memoryMb', 1) * 0.2), 'MB of memory');
  const { bytes, messages } = findRetained(samples);
  if (bytes > maxRetained.bytesInAll + messages * maxRetained.bytesEach)
    problems.push(`${(bytes / messages).toFixed(0)} bytes of memory were retained for each message`);
  grown('handles', 5, 'handles');
  grown('bytesEach', of('bytesEach', 1) * 0.2, 'bytes of the database for each message');
  const log = Math.max(...samples.map(({ logMb }) => logMb));
  if (log > largestLogMb) problems.push(`the write-ahead log had ${log.toFixed(0)} MB`);
  const waiting = of('waiting', 3);
  if (waiting > maxWaiting) problems.push(`${waiting} deliveries waited`);
  return problems;
}

/** By how much what is in use grew, and with how many messages, in the second half: from its first third to its last. */
function findRetained(samples: Sample[]): { bytes: number; messages: number } {
  const half = samples.slice(Math.floor(samples.length / 2));
  const third = Math.max(1, Math.floor(half.length / 3));
  const [early, late] = [half.slice(0, third), half.slice(-third)];
  const middle = (some: Sample[], name: 'live' | 'messages') =>
    quantile(
      some.map(sample => sample[name]),
      0.5,
    );
  const grown = (name: 'live' | 'messages') => middle(late, name) - middle(early, name);
  return { bytes: grown('live'), messages: Math.max(1, grown('messages')) };
}

function quarterOf(samples: Sample[], quarter: number): Sample[] {
  const length = samples.length / 4;
  return samples.slice(Math.floor(length * quarter), Math.ceil(length * (quarter + 1)));
}

function describe(samples: Sample[]): string[] {
  const between = (name: keyof Sample, unit: string) => {
    const [early, late] = [1, 3].map(quarter => quarterOf(samples, quarter).map(sample => sample[name]));
    return `${quantile(early ?? [], 0.5).toFixed(0)} then ${quantile(late ?? [], 0.5).toFixed(0)} ${unit}`;
  };
  const { bytes, messages } = findRetained(samples);
  return [
    between('memoryMb', 'MB of memory'),
    `${(bytes / 1e6).toFixed(2)} MB more in use after ${messages} more messages`,
    between('handles', 'handles'),
    `${Math.max(...samples.map(({ logMb }) => logMb)).toFixed(1)} MB of write-ahead log at most`,
    between('bytesEach', 'bytes of database for each message'),
    between('waiting', 'deliveries on their way'),
  ];
}

/** Temporary files that should have been removed. */
function listStrayFiles({ database }: Fixture): string[] {
  return readdirSync(database.dataDir).filter(name => /\.(new|tmp|torn)$/.test(name));
}
