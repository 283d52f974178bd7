import { rmSync } from 'node:fs';
import { lstat, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorMessage } from '../lib/error-message.ts';
import { syncFolder } from './files.ts';
import { onTerminationSignal } from './termination-signals.ts';

export class FileWriteError extends Error {}

export type Parts = Iterable<string> | AsyncIterable<string | Uint8Array>;

/** Atomic: written as FILE.part, then renamed. `parts` may be a function that fills the draft itself. */
export async function writeNewFile(
  path: string,
  parts: Parts | ((draft: string) => Promise<void>),
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
  if (!found.isFile()) throw new FileWriteError(`${path} exists and is not a file`);
  if (!isForced) throw new FileWriteError(`${path} already exists; use --force to overwrite it`);
}

function throwWriteError(path: string, error: NodeJS.ErrnoException): never {
  const reason = writeReasons.get(error.code ?? '') ?? errorMessage(error);
  throw new FileWriteError(`cannot write ${path}: ${reason}`);
}

const writeReasons = new Map([
  ['ENOSPC', 'no space left on the disk'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EFBIG', 'file too large'],
  ['EROFS', 'read-only file system'],
  ['ENOENT', 'no such folder'],
  ['ENOTDIR', 'its folder is a file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENAMETOOLONG', 'name too long'],
  ['EEXIST', 'FILE.part exists, from another run or an interrupted one; use --force to overwrite it'],
]);

function removeDraft(draft: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true });
}
