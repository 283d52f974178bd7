import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** A part at a time, each with the end of the one before: what is looked for may lie across them. */
export async function* readOverlapping(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path).catch(orMissing);
  if (!file || !(await file.stat()).isFile()) return;
  let before = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(partLength), position });
    if (bytesRead === 0) return;
    const bytes = Buffer.concat([before, buffer.subarray(0, bytesRead)]);
    yield bytes;
    before = bytes.subarray(-overlap);
    position += bytesRead;
  }
}

const [partLength, overlap] = [1 << 20, 1024];

/** For `catch`: what is not there is no mistake. */
export function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** For this user alone, with those above it; a power cut does not undo it. */
export async function makeFolder(folder: string): Promise<void> {
  const last = resolve(folder);
  const first = await mkdir(last, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = last; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** After a file was made, renamed or removed in it: without this a power cut may undo it. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and needs no sync of one.
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}
