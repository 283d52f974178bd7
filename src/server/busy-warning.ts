import type { Log } from '../lib/log.ts';

const tellEveryMs = 60_000;

/** More are turned away than anybody would read of: told at once, and then once a minute for as long as it lasts. */
export function createBusyWarning(log: Log): () => void {
  let count = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return () => {
    count += 1;
    const now = performance.now();
    if (now - toldAt < tellEveryMs) return;
    log.warn('too busy', { count });
    toldAt = now;
    count = 0;
  };
}
