import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Place } from '../cores.ts';

const seconds = 2;

/** How many times a second the disk of a folder forces a page to it. */
export async function measureDisk({ prefix }: Place, folder: string): Promise<number> {
  const file = join(folder, 'fsync');
  const script = join(import.meta.dirname, 'disk.ts');
  const [command = '', ...rest] = [...prefix, process.execPath, script, file, String(seconds)];
  const { stdout } = await promisify(execFile)(command, rest);
  rmSync(file, { force: true });
  return Number(stdout);
}
