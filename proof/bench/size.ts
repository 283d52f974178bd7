import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Figure } from '../figures.ts';
import { print } from './options.ts';

const root = resolve(import.meta.dirname, '../..');

/** What a newcomer gets and waits for: a fresh clone of the last commit, the README's two commands, and the lines of it. */
export async function benchSize(args: string[]): Promise<Figure[]> {
  const runs = args.includes('--once') ? 1 : 3;
  const rounds: Record<string, number>[] = [];
  for (let round = 1; round <= runs; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'size-'));
    try {
      run(folder, 'git', 'clone', '--quiet', root, '.');
      rounds.push({
        'npm ci': await time(() => run(folder, 'npm', 'ci')),
        // Before the tests, which keep a cache there.
        megabytes: measureMegabytes(folder),
        'npm start to the first page': await timeStart(folder),
        'npm test': await time(() => run(folder, 'npm', 'test')),
      });
      print(`Round ${round} of ${runs} done`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const over = (name: string) => rounds.map(round => round[name] ?? Number.NaN);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return [
    { name: 'lines of the product', values: [countLines('src/**/*.{ts,tsx,css}', /\.test\.tsx?$/)] },
    {
      ...{ name: 'lines of its tests', goal: 'at most 22,000' },
      values: [countLines('tests/**/*.ts') + countLines('src/**/*.test.{ts,tsx}')],
    },
    { name: 'lines of proof', values: [countLines('proof/**/*.ts', /node_modules/)] },
    { name: 'packages in the lockfile, of all platforms', values: [Object.keys(packages).length - 1] },
    { name: 'npm ci brings', unit: 'MB', values: over('megabytes'), goal: 'at most 620' },
    { name: 'npm ci', unit: 's', values: over('npm ci') },
    { name: 'npm start to the first page', unit: 's', values: over('npm start to the first page') },
    { name: 'npm test', unit: 's', values: over('npm test'), goal: 'at most 300' },
  ];
}

function run(cwd: string, command: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1e9 });
  if (status !== 0)
    throw new Error(`${[command, ...args].join(' ')} ended with ${status}\n${stdout}${stderr}`);
}

async function time(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** The first start builds the site. */
async function timeStart(cwd: string): Promise<number> {
  const port = '3917';
  const server = spawn('npm', ['start'], {
    cwd,
    env: { ...process.env, PORT: port },
    stdio: 'ignore',
    detached: true,
  });
  try {
    return await time(async () => {
      for (let tries = 0; tries < 1200; tries++) {
        const isServed = await fetch(`http://127.0.0.1:${port}/`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isServed) return;
        await new Promise(later => setTimeout(later, 100));
      }
      throw new Error('npm start served no page within two minutes');
    });
  } finally {
    // npm, its shell and the server are one group.
    if (server.pid) process.kill(-server.pid, 'SIGTERM');
    await new Promise(ended => server.once('exit', ended));
  }
}

function measureMegabytes(folder: string): number {
  return Number.parseInt(
    spawnSync('du', ['-sm', join(folder, 'node_modules')], { encoding: 'utf8' }).stdout,
    10,
  );
}

function countLines(pattern: string, except = /^$/): number {
  return globSync(pattern, { cwd: root })
    .filter(file => !except.test(file))
    .reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0);
}
