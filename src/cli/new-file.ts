import { rmSync } from 'node:fs';
import { lstat, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { onTerminationSignal, syncFolder } from '../lib/files.ts';
import { reason } from './print-error.ts';

export class UnwrittenFile extends Error {}

export type Parts = Iterable<string> | AsyncIterable<string | Uint8Array>;

/** Whole and under its name or not at all. It grows as FILE.part, which a function fills by itself. */
export async function writeNewFile(
  path: string,
  parts: Parts | ((draft: string) => Promise<void>),
  { isForced }: { isForced: boolean },
): Promise<void> {
  await assertFree(path, isForced);
  const draft = `${path}.part`;
  if (isForced) removeDraft(draft);
  const file = await open(draft, 'wx', 0o600).catch(error => unwritten(path, error));
  const letGo = onTerminationSignal(() => removeDraft(draft));
  try {
    try {
      if (typeof parts === 'function') await parts(draft);
      else for await (const part of parts) await file.writeFile(part).catch(error => unwritten(path, error));
      await file.sync().catch(error => unwritten(path, error));
    } finally {
      await file.close();
    }
    await assertFree(path, isForced);
    await rename(draft, path).catch(error => unwritten(path, error));
  } catch (error) {
    removeDraft(draft);
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

function removeDraft(draft: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true });
}
