import { open, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder, undefinedIfMissing } from './files.ts';

const [pollMs, renewMs, staleMs, timeoutMs] = [10, 1000, 5000, 20_000];

/** The holder renews the lock file's mtime, so that the lock of a killed process goes stale. */
export async function withFileLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  await acquire(lock);
  const renew = () => utimes(lock, new Date(), new Date()).catch(() => undefined);
  const heartbeat = setInterval(renew, renewMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(lock, { force: true });
  }
}

async function acquire(lock: string): Promise<void> {
  for (const until = performance.now() + timeoutMs; ; await wait(pollMs)) {
    try {
      return await (await open(lock, 'wx', 0o600)).close();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') await makeFolder(dirname(lock));
      else if (code !== 'EEXIST' || performance.now() > until) throw error;
    }
    if (await isStale(lock)) await withFileLock(`${lock}.stale`, () => removeStale(lock));
  }
}

/** Checks again under its own lock: another process may have replaced the stale lock meanwhile. */
async function removeStale(lock: string): Promise<void> {
  if (await isStale(lock)) await rm(lock, { force: true });
}

async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(undefinedIfMissing);
  return found !== undefined && Date.now() - found.mtimeMs > staleMs;
}
