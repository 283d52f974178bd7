import type { Log } from '../lib/log.ts';

/** A kind is told of at most once a second; while more of it come, each wait is twice as long as the one before. */
const [shortestMs, longestMs] = [1000, 60_000];

/** Its endpoint and status make its kind. Without an endpoint it was refused before it became a request. */
export type Refusal = { status: number; endpoint?: string; level?: 'debug' | 'info' };

export type Refusals = {
  count(refusal: Refusal, tellFirst?: () => void): void;
  tell(): void;
};

type Kind = Refusal & { count: number; waitMs: number; timer?: NodeJS.Timeout };

/**
 * Anonymous clients cause refusals by the thousand, and must not fill the log: the first of a kind is told of at once,
 * those that follow are counted and told of in one line.
 */
export function createRefusals(log: Log): Refusals {
  const kinds = new Map<string, Kind>();

  function tellCount({ status, endpoint, level = 'info', count, waitMs }: Kind): void {
    log[level]('requests refused', { endpoint, status, count, seconds: waitMs / 1000 });
  }

  function watch(name: string, kind: Kind): void {
    kind.timer = setTimeout(() => {
      if (kind.count === 0) return void kinds.delete(name);
      tellCount(kind);
      kind.count = 0;
      kind.waitMs = Math.min(2 * kind.waitMs, longestMs);
      watch(name, kind);
    }, kind.waitMs).unref();
  }

  return {
    count(refusal, tellFirst = () => tellCount({ ...refusal, count: 1, waitMs: 0 })) {
      const name = `${refusal.endpoint} ${refusal.status}`;
      const known = kinds.get(name);
      if (known) {
        known.count += 1;
        return;
      }
      const kind = { ...refusal, count: 0, waitMs: shortestMs };
      kinds.set(name, kind);
      watch(name, kind);
      tellFirst();
    },
    /** What is counted and not yet told of: the process ends. */
    tell() {
      for (const kind of kinds.values()) {
        clearTimeout(kind.timer);
        if (kind.count > 0) tellCount(kind);
      }
      kinds.clear();
    },
  };
}
