import type { Log } from '../log.ts';

const [minWaitMs, maxWaitMs] = [1000, 60_000];

type CountedError = { status: number; endpoint?: string; level?: 'debug' | 'info' };

type Kind = CountedError & { count: number; waitMs: number; timer?: NodeJS.Timeout };

/** Anonymous clients must not fill the log: the first error of a kind is logged, the next are counted. */
export function createErrorResponseLog(log: Log) {
  const kinds = new Map<string, Kind>();

  function logCount({ status, endpoint, level = 'info', count, waitMs }: Kind): void {
    log[level]('requests refused', { endpoint, status, count, seconds: waitMs / 1000 });
  }

  function watch(name: string, kind: Kind): void {
    kind.timer = setTimeout(() => {
      if (kind.count === 0) return void kinds.delete(name);
      logCount(kind);
      kind.count = 0;
      kind.waitMs = Math.min(2 * kind.waitMs, maxWaitMs);
      watch(name, kind);
    }, kind.waitMs).unref();
  }

  return {
    count(response: CountedError, logFirst = () => logCount({ ...response, count: 1, waitMs: 0 })): void {
      const name = `${response.endpoint} ${response.status}`;
      const known = kinds.get(name);
      if (known) {
        known.count += 1;
        return;
      }
      const kind = { ...response, count: 0, waitMs: minWaitMs };
      kinds.set(name, kind);
      watch(name, kind);
      logFirst();
    },
    flush(): void {
      for (const kind of kinds.values()) {
        clearTimeout(kind.timer);
        if (kind.count > 0) logCount(kind);
      }
      kinds.clear();
    },
  };
}

const warnEveryMs = 60_000;

export function createBusyWarning(log: Log): () => void {
  let count = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return () => {
    count += 1;
    const now = performance.now();
    if (now - warnedAt < warnEveryMs) return;
    log.warn('overloaded', { count });
    warnedAt = now;
    count = 0;
  };
}
