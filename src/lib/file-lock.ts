import { open, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder, orMissing } from './files.ts';

const [pollMs, beatMs, staleMs, patienceMs] = [10, 1000, 5000, 20_000];

/** The holder renews the lock file's time, so that a killed holder's lock goes stale. */
export async function withFileLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  await acquire(lock);
  const renew = () => utimes(lock, new Date(), new Date()).catch(() => undefined);
  const beat = setInterval(renew, beatMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(lock, { force: true });
  }
}

async function acquire(lock: string): Promise<void> {
  for (const until = performance.now() + patienceMs; ; await wait(pollMs)) {
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

/** One process at a time, which looks again: another may have taken a new lock since. */
async function removeStale(lock: string): Promise<void> {
  if (await isStale(lock)) await rm(lock, { force: true });
}

async function isStale(lock: string): Promise<boolean> {
  const held = await stat(lock).catch(orMissing);
  return held !== undefined && Date.now() - held.mtimeMs > staleMs;
}
