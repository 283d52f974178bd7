import { rmSync } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { reason } from './complain.ts';

/** A file that could not be written, in words for its owner. Nothing of it is left. */
export class UnwrittenFile extends Error {}

/**
 * Writes a file that only its owner may read: whole and under its name, or not at all. While it grows it is called
 * FILE.part. What stands there already is replaced only by force.
 */
export async function writeNewFile(
  path: string,
  parts: Iterable<string> | AsyncIterable<string | Uint8Array>,
  { isForced }: { isForced: boolean },
): Promise<void> {
  await assertFree(path, isForced);
  const draft = `${path}.part`;
  const file = await open(draft, isForced ? 'w' : 'wx', 0o600).catch(error => unwritten(path, error));
  const letGo = removeWhenEnded(draft);
  try {
    try {
      // One that was left there by an earlier run may have been open to others.
      await file.chmod(0o600);
      for await (const part of parts) await file.writeFile(part).catch(error => unwritten(path, error));
      await file.sync().catch(error => unwritten(path, error));
    } finally {
      await file.close();
    }
    await assertFree(path, isForced);
    await rename(draft, path).catch(error => unwritten(path, error));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    letGo();
  }
  await syncFolder(dirname(path));
}

async function assertFree(path: string, isForced: boolean): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : unwritten(path, error),
  );
  if (!found) return;
  if (!found.isFile()) throw new UnwrittenFile(`${path} is there already, and is no file.`);
  if (!isForced) throw new UnwrittenFile(`${path} is there already; --force replaces it.`);
}

function unwritten(path: string, error: NodeJS.ErrnoException): never {
  const why = plainReasons.get(error.code ?? '') ?? reason(error);
  throw new UnwrittenFile(`${path} cannot be written: ${why}.`);
}

const plainReasons = new Map([
  ['ENOSPC', 'there is no room left on the disk'],
  ['EDQUOT', 'this user has no room left on the disk'],
  ['EFBIG', 'it would be larger than a file may be'],
  ['EROFS', 'nothing can be written there'],
  ['ENOENT', 'its folder is not there'],
  ['ENOTDIR', 'its folder is a file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EEXIST', 'its .part is there already, of a run that goes on or was cut off; --force replaces it'],
]);

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Half a file of what visitors wrote must not be forgotten on a disk. */
function removeWhenEnded(draft: string): () => void {
  const end = (signal: (typeof signals)[number]) => {
    rmSync(draft, { force: true });
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

/** Where a folder can be opened, its entry is on the disk when this is done. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
}
