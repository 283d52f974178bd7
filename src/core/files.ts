import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** Each chunk repeats the end of the previous one, so that a match across the boundary is found. */
export async function* readOverlappingChunks(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path).catch(undefinedIfMissing);
  if (!file || !(await file.stat()).isFile()) return;
  let previousEnd = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(chunkLength), position });
    if (bytesRead === 0) return;
    const bytes = Buffer.concat([previousEnd, buffer.subarray(0, bytesRead)]);
    yield bytes;
    previousEnd = bytes.subarray(-overlap);
    position += bytesRead;
  }
}

const [chunkLength, overlap] = [1 << 20, 1024];

export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Creates the folder with mode 0700, and syncs it so that it survives a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const last = resolve(folder);
  const first = await mkdir(last, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let path = last; path.length >= first.length; path = dirname(path)) await syncFolder(dirname(path));
}

export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder for syncing, and does not need it.
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}

/** Atomic: a kill leaves the old or the new file. It keeps its permissions and owner; a new file takes those of its folder. */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const real = (await realpath(path).catch(undefinedIfMissing)) ?? path;
  const folder = dirname(real);
  const draft = join(folder, `.${basename(real)}.${process.pid}.part`);
  const present = await stat(real).catch(undefinedIfMissing);
  const { mode, uid, gid } = present ?? (await stat(folder));
  try {
    {
      await using file = await open(draft, 'w', present ? mode & 0o777 : mode & 0o666);
      if (process.getuid?.() === 0) await file.chown(uid, gid);
      await file.writeFile(content);
      await file.sync();
    }
    await rename(draft, real);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
