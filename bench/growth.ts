import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { processEnvironment } from '../src/server/config.ts';
import { startPostgres } from '../tests/harness/postgres.ts';
import type { Figure, Measured } from './figures.ts';
import { type Fill, fillPostgres, fillSqlite } from './growth/fill.ts';
import { median } from './spread.ts';

const root = resolve(import.meta.dirname, '..');
const meter = join(root, 'bench/growth/meter.ts');

type Figures = { ms: number; cpuMs: number; peakMb: number };
type Database = { env: Record<string, string>; fill: Fill };

/** What the owner's commands take, in time and memory, as the number of messages grows. */
export async function benchGrowth(args: string[]): Promise<Measured> {
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
    say(`${size.toLocaleString('en-GB')} messages are there`);
    for (const { name, command, runs } of commandsFor(size, folder, Number(values.runs))) {
      const taken: Figures[] = [];
      for (let run = 0; run < runs; run++) taken.push(await measure(env, command));
      const of = (figure: keyof Figures) => median(taken.map(one => one[figure]));
      const figures = { ms: of('ms'), cpuMs: of('cpuMs'), peakMb: of('peakMb') };
      measured.set(name, [...(measured.get(name) ?? []), figures]);
    }
  }
  const told = report(sizes, measured);
  say(`\n${told}`);
  return { report: told, figures: figuresOf(sizes, measured) };
}

/** With the largest size; what it is with the others stands in the report. */
function figuresOf(sizes: number[], measured: Map<string, Figures[]>): Figure[] {
  const most = (sizes.at(-1) ?? 0).toLocaleString('en-GB');
  return [...measured].flatMap(([name, figures]): Figure[] => {
    const { ms = Number.NaN, peakMb = Number.NaN } = figures.at(-1) ?? {};
    const about = `${name}, ${most} messages`;
    return [
      { name: about, unit: 'ms', values: [ms], better: 'lower' },
      { name: `${about}, peak`, unit: 'MB', values: [peakMb], better: 'lower' },
    ];
  });
}

const startAlone = 'start alone (--help)';

type Command = { name: string; command: string[]; runs: number };

function commandsFor(size: number, folder: string, runs: number): Command[] {
  const inbox = (...args: string[]) => ['src/cli/inbox.ts', ...args];
  const newest = `${hex(((size - 1) * 7919) % 1_048_573)}-${hex((size - 1) % 1_048_573)}`;
  const file = join(folder, 'messages.csv');
  const once = 1;
  const commands = [
    { name: startAlone, command: inbox('--help'), runs },
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
    env: { ...processEnvironment(), ...env },
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

/** Each figure beside how often it holds that of the smallest size. Own is what starting a process did not take. */
function report(sizes: number[], measured: Map<string, Figures[]>): string {
  // A few milliseconds more or less are noise, and their ratio says nothing.
  const cell = (figure: number, first: number) =>
    first < 50 ? figure.toFixed(0) : `${figure.toFixed(0)} (×${(figure / first).toFixed(1)})`;
  const starts = measured.get(startAlone) ?? [];
  const rows = [...measured].flatMap(([name, figures]) => {
    const line = (unit: string, of: (one: Figures, size: number) => number) => [
      name,
      unit,
      ...figures.map((one, size) => cell(of(one, size), of(figures[0] as Figures, 0))),
    ];
    const lines = [line('ms', one => one.ms), line('peak MB', one => one.peakMb)];
    if (name === startAlone) return lines;
    return [...lines, line('own CPU ms', (one, size) => Math.max(0, one.cpuMs - (starts[size]?.cpuMs ?? 0)))];
  });
  const head = ['command', 'unit', ...sizes.map(size => size.toLocaleString('en-GB'))];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map(row => (row[column] ?? '').length)));
  const lines = [head, ...rows].map(row =>
    row.map((one, column) => one.padEnd(widths[column] ?? 0)).join('  '),
  );
  return `${lines.map(line => line.trimEnd()).join('\n')}\n\nGoals: list and show flat; the memory of export flat.\n`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
