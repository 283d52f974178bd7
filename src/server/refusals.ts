import type { Log } from '../lib/log.ts';

const tellEveryMs = 60_000;

export type Refusals = { count(status: number): void; tell(): void };

/**
 * What was refused before it became a request: a scanner sends it by the thousand, so it is counted, and told of in one
 * line a minute.
 */
export function createRefusals(log: Log): Refusals {
  const counts = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    const found = [...counts].sort(([one], [other]) => one - other);
    counts.clear();
    if (found.length > 0) {
      const count = found.reduce((sum, [, times]) => sum + times, 0);
      const statuses = found.map(([status, times]) => `${status}: ${times}`).join(', ');
      log.info('requests refused', { count, statuses });
    }
  }

  return {
    count(status) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      timer ??= setTimeout(tell, tellEveryMs).unref();
    },
    tell,
  };
}
