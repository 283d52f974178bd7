import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { loadEnvironment } from '../../src/server/config.ts';
import { startPostgres } from '../../tests/harness/postgres.ts';
import type { Figure } from '../figures.ts';
import { type Fill, fillPostgres, fillSqlite } from './growth/fill.ts';
import { median } from './spread.ts';

const root = resolve(import.meta.dirname, '../..');
const meter = join(root, 'proof/bench/growth/meter.ts');

type Figures = { ms: number; cpuMs: number; peakMb: number };
type Database = { env: Record<string, string>; fill: Fill };

/** What the owner's commands take, in time and memory, as the number of messages grows. */
export async function benchGrowth(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '10000,100000,1000000' },
      runs: { type: 'string', default: '5' },
      postgres: { type: 'boolean', default: false },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  await using cleanup = new AsyncDisposableStack();
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/bench-growth-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { env, fill } = values.postgres ? await openPostgres(folder, cleanup) : await openSqlite(folder);

  const measured = new Map<string, Figures[]>();
  let filled = 0;
  for (const size of sizes) {
    await fill(filled, size);
    filled = size;
    print(`${size.toLocaleString('en-GB')} messages are there`);
    for (const { name, command, runs } of commandsFor(size, folder, Number(values.runs))) {
      const taken: Figures[] = [];
      for (let run = 0; run < runs; run++) taken.push(await measure(env, command));
      const of = (figure: keyof Figures) => median(taken.map(one => one[figure]));
      const figures = { ms: of('ms'), cpuMs: of('cpuMs'), peakMb: of('peakMb') };
      measured.set(name, [...(measured.get(name) ?? []), figures]);
    }
  }
  // One figure a command, with every size: list and show should stay flat, and so should the memory of export.
  return [...measured].flatMap(([name, figures]) =>
    figures.flatMap(({ ms, peakMb }, at): Figure[] => {
      const about = `${name}, ${(sizes[at] ?? 0).toLocaleString('en-GB')} messages`;
      return [
        { name: about, unit: 'ms', values: [ms] },
        { name: `${about}, peak`, unit: 'MB', values: [peakMb] },
      ];
    }),
  );
}

type Command = { name: string; command: string[]; runs: number };

function commandsFor(size: number, folder: string, runs: number): Command[] {
  const inbox = (...args: string[]) => ['src/cli/inbox.ts', ...args];
  const newest = `${hex(((size - 1) * 7919) % 1_048_573)}-${hex((size - 1) % 1_048_573)}`;
  const file = join(folder, 'messages.csv');
  const once = 1;
  const commands = [
    { name: 'start alone (--help)', command: inbox('--help'), runs },
    { name: 'list', command: inbox('list'), runs },
    { name: 'list, one state', command: inbox('list', '--state', 'quarantined'), runs },
    { name: 'show', command: inbox('show', newest), runs },
    { name: 'search, found at the end', command: inbox('list', '--search', 'rhabarber'), runs: once },
    { name: 'search, found nowhere', command: inbox('list', '--search', 'nowhere'), runs: once },
    { name: 'search, a page of many', command: inbox('list', '--search', 'boiler'), runs },
    { name: 'deliveries', command: inbox('deliveries'), runs: once },
    { name: 'export', command: inbox('export', '--csv', file, '--force'), runs: once },
  ];
  if (!existsSync(join(root, 'src/cli/privacy.ts'))) return commands;
  const erase = ['src/cli/privacy.ts', 'erase', `reader-${size / 2}@example.com`, '--yes'];
  return [...commands, { name: 'erase', command: erase, runs: once }];
}

function hex(number: number): string {
  return number.toString(16).toUpperCase().padStart(5, '0');
}

async function measure(env: Record<string, string>, command: string[]): Promise<Figures> {
  const before = performance.now();
  const child = spawn(process.execPath, ['--import', meter, ...command], {
    cwd: root,
    env: { ...loadEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const said = text(child.stderr as NodeJS.ReadableStream);
  const metered = text(child.stdio[3] as NodeJS.ReadableStream);
  const code = await new Promise(ended => child.once('close', ended));
  const ms = performance.now() - before;
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${await said}`);
  return { ms, ...JSON.parse(await metered) };
}

/** A command makes no database where there is none: it is shown an empty file. */
async function openSqlite(folder: string): Promise<Database> {
  const file = join(folder, 'wardhouse.sqlite');
  closeSync(openSync(file, 'a', 0o600));
  const env = { DATA_DIR: folder, DATABASE_URL: '' };
  await measure(env, ['src/cli/inbox.ts', 'list']);
  return { env, fill: fillSqlite(file) };
}

async function openPostgres(folder: string, cleanup: AsyncDisposableStack): Promise<Database> {
  const server = await startPostgres();
  cleanup.defer(() => server.stop());
  const client = new pg.Client({ connectionString: `${server.url}/postgres` });
  await client.connect();
  await client.query('create database growth');
  await client.end();
  const env = { DATA_DIR: folder, DATABASE_URL: `${server.url}/growth` };
  await measure(env, ['src/cli/inbox.ts', 'list']);
  return { env, fill: fillPostgres(env.DATABASE_URL) };
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
