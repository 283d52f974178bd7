import { existsSync, realpathSync } from 'node:fs';
import { access, chmod, chown, constants, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { undefinedIfMissing } from '../../../core/files.ts';
import { writeNewFile } from '../../../core/new-file.ts';

/** The reason why a file cannot be replaced. */
export async function findWriteProblem(path: string): Promise<string | undefined> {
  const target = existsSync(path) ? realpathSync(path) : path;
  try {
    await access(dirname(target), constants.W_OK);
    if (existsSync(target)) await access(target, constants.R_OK);
    return undefined;
  } catch (error) {
    const { code, path: denied } = error as NodeJS.ErrnoException;
    return `cannot write to ${denied ?? target} (${code}); run this as the user that owns the project`;
  }
}

/** Atomic. A new file is for this user alone; a present one keeps its owner, and permissions as `keepMode` says. */
export async function replaceFile(
  path: string,
  text: string,
  keepMode: (mode: number) => number = mode => mode,
): Promise<void> {
  const target = existsSync(path) ? realpathSync(path) : path;
  const before = await stat(target).catch(undefinedIfMissing);
  await writeNewFile(
    target,
    async draft => {
      await writeFile(draft, text);
      if (!before || process.platform === 'win32') return;
      await chmod(draft, keepMode(before.mode & 0o777));
      const { uid, gid } = await stat(draft);
      if (uid !== before.uid || gid !== before.gid) await chown(draft, before.uid, before.gid);
    },
    { isForced: true },
  );
}

/** A file with passwords that everyone could read becomes its owner's; one shared with a group on purpose stays so. */
export function restrictMode(mode: number): number {
  return mode & 0o007 ? 0o600 : mode;
}
