import { mkdir, open } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';

/** Each part begins with the end of the one before, because a match may lie across them. */
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

/** For `catch`: a missing file is no error. */
export function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** For this user only, and durable after a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const last = resolve(folder);
  const first = await mkdir(last, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = last; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** After a file was created, renamed or removed: without this a power cut may undo it. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and needs no sync of one.
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** For files with visitors' words, which must not stay when a command is ended. Returns how to let go. */
export function whenEnded(remove: () => void): () => void {
  const end = (signal: (typeof signals)[number]) => {
    remove();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
