import type { Clock } from '../../lib/clock.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { ViewRow } from '../../store/tables.ts';
import type { Views } from '../../store/views.ts';
import type { View } from './read-view.ts';

export type ViewCounts = {
  /** Takes an addition; what is counted is stored within the minute. */
  count(view: View): void;
  /** Stores what is counted now. What cannot be stored is counted on. */
  flush(): Promise<void>;
};

type ViewCountsDeps = { views: Pick<Views, 'add'>; clock: Clock; log: Log };

const flushAfterMs = 60_000;
/** Rows of one day. Far more than a site of this size has; somebody who makes them up gets no further. */
export const mostRows = 1000;
/** In the place of what there is no room for. */
export const otherName = 'other';

/** Views in memory, by day. Each process adds its own to the database: whoever else adds to the same rows, the sum is right. */
export function createViewCounts({ views, clock, log }: ViewCountsDeps): ViewCounts {
  let counted = new Map<string, ViewRow>();
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();

  function add(row: ViewRow): void {
    const { count, ...about } = row;
    const key = JSON.stringify(Object.values(about));
    const known = counted.get(key);
    if (known) known.count += count;
    else if (counted.size < mostRows || isFolded(row)) counted.set(key, { ...row });
    else add(fold(row));
  }

  async function store(): Promise<void> {
    const rows = [...counted.values()];
    counted = new Map();
    if (rows.length === 0) return;
    try {
      await views.add(rows, { most: mostRows, fold });
    } catch (error) {
      log.error('views not stored', { rows: rows.length, ...errorFields(error) });
      for (const row of rows) add(row);
      wait();
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(store);
    return storing;
  }

  /** Nobody's process stays alive for it: whoever ends it stores what is left. */
  function wait(): void {
    timer ??= setTimeout(flush, flushAfterMs).unref();
  }

  return {
    count({ kind, path, referrer, source, medium, campaign }) {
      const day = clock.now().toISOString().slice(0, 10);
      add({ day, kind, path, referrer, source, medium, campaign, count: 1 });
      wait();
    },
    flush,
  };
}

/** Which page it was stays known: there are few. */
function fold(row: ViewRow): ViewRow {
  return { ...row, referrer: otherName, source: otherName, medium: otherName, campaign: otherName };
}

function isFolded({ referrer, source }: ViewRow): boolean {
  return referrer === otherName && source === otherName;
}
