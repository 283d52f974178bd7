import { fsyncSync, openSync, writeSync } from 'node:fs';

/** Run as a process of its own: `disk.ts FILE SECONDS`. Appends a page and forces it to the disk, again and again. */
const [file = '', seconds = '1'] = process.argv.slice(2);
const handle = openSync(file, 'w');
const page = Buffer.alloc(4096);
const started = performance.now();
let count = 0;
while (performance.now() - started < Number(seconds) * 1000) {
  writeSync(handle, page);
  fsyncSync(handle);
  count += 1;
}
process.stdout.write(`${count / ((performance.now() - started) / 1000)}\n`);
