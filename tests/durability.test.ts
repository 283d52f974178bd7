import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { databases } from './harness/databases.ts';
import { killUnderLoad } from './harness/kills.ts';
import { copyProject } from './harness/process.ts';

const rounds = 5;

describe.each(databases)('kill -9 under load on $name', ({ create }) => {
  test(`loses nothing that was answered with 200, in ${rounds} rounds`, { timeout: 60_000 }, async () => {
    const database = await create();
    const { acknowledged, lost, integrity } = await killUnderLoad(database, rounds);
    expect(acknowledged.length).toBeGreaterThan(rounds * 5);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect({ lost, integrity }).toEqual({ lost: [], integrity: 'ok' });
    await database.remove();
  });
});

const hasStrace = spawnSync('strace', ['-V']).status === 0;

describe('as strace sees it', () => {
  test.skipIf(!hasStrace)(
    'every group of messages has an fsync of its own, and no message needs one alone',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'wardhouse-strace-'));
      const trace = join(folder, 'trace');
      await using copy = copyProject();
      const strace = [
        'strace',
        '-D',
        '-f',
        '-qq',
        '--seccomp-bpf',
        '-e',
        'trace=fsync,fdatasync',
        '-o',
        trace,
      ];
      const server = copy.start({ DATA_DIR: join(folder, 'data'), OUTBOX: 'apart' }, { prefix: strace });
      const address = await server.address();
      const count = () => readFileSync(trace, 'utf8').match(/ f(data)?sync\(\d+\) += 0/g)?.length ?? 0;

      const before = count();
      // One after the other, each is a group.
      for (let index = 0; index < 20; index += 1) await post(address);
      const alone = count() - before;
      expect(alone).toBeGreaterThanOrEqual(20);

      // All at once, they share. A checkpoint may add a few.
      await Promise.all(Array.from({ length: 200 }, () => post(address)));
      const together = count() - before - alone;
      expect(together).toBeGreaterThan(0);
      expect(together).toBeLessThan(150);
      server.child.kill('SIGTERM');
      await server.ended;
      rmSync(folder, { recursive: true });
    },
  );
});

async function post(address: string): Promise<void> {
  const response = await fetch(`${address}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'to the disk' }),
  });
  expect(response.status).toBe(200);
}
