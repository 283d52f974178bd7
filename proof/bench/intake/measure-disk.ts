import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const seconds = 2;

/** How many times a second the disk of a folder forces a page to it. */
export function measureDisk(folder: string): number {
  const file = join(folder, 'fsync');
  const handle = openSync(file, 'w');
  const page = Buffer.alloc(4096);
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < seconds * 1000) {
    writeSync(handle, page);
    fsyncSync(handle);
    count += 1;
  }
  closeSync(handle);
  rmSync(file);
  return (count * 1000) / (performance.now() - started);
}
