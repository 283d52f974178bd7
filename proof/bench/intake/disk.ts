import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { createRecorder } from './record.ts';

/** Run as a process of its own: `disk.ts fsync FILE SECONDS` or `disk.ts loop FILE SECONDS GROUP`. Prints how many a second. */
const [what, file = '', seconds = '1', group = '64'] = process.argv.slice(2);
process.stdout.write(`${(what === 'loop' ? loop : fsync)(Number(seconds) * 1000)}\n`);

/** A page appended and forced to the disk, again and again: what the disk itself can do. */
function fsync(ms: number): number {
  const handle = openSync(file, 'w');
  const page = Buffer.alloc(4096);
  const rate = repeat(ms, () => {
    writeSync(handle, page);
    fsyncSync(handle);
  });
  closeSync(handle);
  return rate;
}

/** Groups of as many messages as there are connections, one commit each, and no network. */
function loop(ms: number): number {
  const record = createRecorder(file);
  return repeat(ms, () => record(Number(group))) * Number(group);
}

function repeat(ms: number, work: () => void): number {
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < ms) {
    work();
    count += 1;
  }
  return count / ((performance.now() - started) / 1000);
}
