import type { Log } from '../lib/log.ts';

/** Each wait is twice as long as the one before, while more of the kind come. */
const [shortestMs, longestMs] = [1000, 60_000];

/** Without an endpoint it was refused before it became a request. */
export type Refusal = { status: number; endpoint?: string; level?: 'debug' | 'info' };

export type Refusals = {
  count(refusal: Refusal, tellFirst?: () => void): void;
  tell(): void;
};

type Kind = Refusal & { count: number; waitMs: number; timer?: NodeJS.Timeout };

/** Anonymous clients must not fill the log: the first refusal of a kind is logged, the next are counted. */
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
    tell() {
      for (const kind of kinds.values()) {
        clearTimeout(kind.timer);
        if (kind.count > 0) tellCount(kind);
      }
      kinds.clear();
    },
  };
}

const tellEveryMs = 60_000;

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
