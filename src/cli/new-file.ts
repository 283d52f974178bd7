import { rmSync } from 'node:fs';
import { lstat, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { onTerminationSignal, syncFolder } from '../lib/files.ts';
import { errorMessage } from './print-error.ts';

export class FileWriteError extends Error {}

export type ServiceOverrides = Iterable<string> | AsyncIterable<string | Uint8Array>;

/** Whole and under its name or not at all. It grows as FILE.part, which a function fills by itself. */
export async function writeNewFile(
  path: string,
  parts: ServiceOverrides | ((draft: string) => Promise<void>),
  { isForced }: { isForced: boolean },
): Promise<void> {
  await assertFree(path, isForced);
  const draft = `${path}.part`;
  if (isForced) removeDraft(draft);
  const file = await open(draft, 'wx', 0o600).catch(error => throwWriteError(path, error));
  const removeHandlers = onTerminationSignal(() => removeDraft(draft));
  try {
    try {
      if (typeof parts === 'function') await parts(draft);
      else
        for await (const part of parts)
          await file.writeFile(part).catch(error => throwWriteError(path, error));
      await file.sync().catch(error => throwWriteError(path, error));
    } finally {
      await file.close();
    }
    await assertFree(path, isForced);
    await rename(draft, path).catch(error => throwWriteError(path, error));
  } catch (error) {
    removeDraft(draft);
    throw error;
  } finally {
    removeHandlers();
  }
  await syncFolder(dirname(path));
}

async function assertFree(path: string, isForced: boolean): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : throwWriteError(path, error),
  );
  if (!found) return;
  if (!found.isFile()) throw new FileWriteError(`${path} is there already, and is no file.`);
  if (!isForced) throw new FileWriteError(`${path} is there already; --force replaces it.`);
}

function throwWriteError(path: string, error: NodeJS.ErrnoException): never {
  const why = writeReasons.get(error.code ?? '') ?? errorMessage(error);
  throw new FileWriteError(`${path} cannot be written: ${why}.`);
}

const writeReasons = new Map([
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
