import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgres } from '../../tests/harness/databases.ts';
import { startPostgres } from '../../tests/harness/postgres.ts';
import type { Figure } from '../figures.ts';
import { ensureBuild } from './ensure-build.ts';
import { measureDisk } from './intake/measure-disk.ts';
import { message, unreachableReceivers } from './intake/record.ts';
import { print, readNumbers, waitForSignal } from './options.ts';
import { type BenchServer, startOurs } from './servers/ours.ts';
import { over, rate, takeTurns } from './turns.ts';

const place = { prefix: [] };
const tmpfs = 0x01021994;

/** One process on SQLite, and one to N on one PostgreSQL, in turns: the messages they store. */
export async function benchScale(args: string[]): Promise<Figure[]> {
  const options = readNumbers(args, {
    ...{ processes: [3, 1, 32], seconds: [5, 1, 60], rounds: [5, 1, 100], connections: [64, 1, 500] },
  });
  await ensureBuild(print);
  await using cleanup = new AsyncDisposableStack();
  const interrupted = waitForSignal();
  const folder = mkdtempSync(join(tmpdir(), 'bench-scale-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  if (statfsSync(folder).type === tmpfs)
    print(`${tmpdir()} is in memory, where nothing waits for a disk: set TMPDIR to a folder on one`);

  const start = async (database: Record<string, string> = {}) => {
    const server = await startOurs(
      { folder, place },
      { RATE_LIMIT: 'off', ...unreachableReceivers, ...database },
    );
    cleanup.defer(server.stop);
    return server;
  };
  const postgres = await startPostgres({ fsync: 'on' });
  cleanup.defer(postgres.stop);
  const shared = await createPostgres(postgres.url);
  cleanup.defer(shared.remove);
  // All of them from the beginning, so that they can take turns; those that have none wait.
  const setups = [{ name: 'SQLite, 1', servers: [await start()] }];
  const together: BenchServer[] = [];
  while (together.length < options.processes) {
    together.push(await start(shared.env));
    setups.push({ name: `PostgreSQL, ${together.length}`, servers: [...together] });
  }
  const fsyncs: number[] = [];
  const order = { path: '/api/contact', post: JSON.stringify(message) };
  const turns = takeTurns(setups, options, order, () => fsyncs.push(measureDisk(folder)));
  const rounds = await Promise.race([turns, interrupted]);
  return [
    { name: "the disk's own fsyncs a second", values: fsyncs.slice(1) },
    ...setups.flatMap(({ name }) => [
      { name: `${name}: durable posts a second`, values: over(rounds, name, rate) },
      { name: `${name}: p99 of posts`, unit: 'ms', values: over(rounds, name, ({ p99Ms }) => p99Ms) },
    ]),
  ];
}
