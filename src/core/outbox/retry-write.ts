import { setTimeout as wait } from 'node:timers/promises';
import { errorFields, type Log } from '../log.ts';

const retryDelays = [200, 1000, 5000, 15_000];

/** A short outage of the database must not make a finished delivery look ambiguous. */
export async function retryWrite(
  { log, name, stopping }: { log: Log; name: string; stopping: AbortSignal },
  write: () => Promise<boolean>,
): Promise<boolean> {
  for (const delayMs of retryDelays) {
    try {
      return await write();
    } catch (error) {
      if (stopping.aborted) throw error;
      log.warn('delivery not settled yet', { receiver: name, ...errorFields(error) });
      await wait(delayMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return write();
}
