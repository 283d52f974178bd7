import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Place } from '../cores.ts';

const seconds = 2;

/** What the disk of a folder, or a bare SQLite loop on it, does a second. */
export async function measureDisk(
  { prefix }: Place,
  what: 'fsync' | 'loop',
  folder: string,
  { connections }: { connections: number },
): Promise<number> {
  const file = join(folder, what);
  const script = join(import.meta.dirname, 'disk.ts');
  const args = [process.execPath, script, what, file, seconds, connections].map(String);
  const [command = '', ...rest] = [...prefix, ...args];
  const { stdout } = await promisify(execFile)(command, rest);
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
  return Number(stdout);
}
