import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { countOrFallback } from './rate-limits.ts';

export const floodLimits = { windowMs: 10 * 60 * 1000, max: 600 } as const;

const cacheMs = 1000;

type FloodDeps = {
  messages: { countStored(after: string, upTo: string, max: number): Promise<number> };
  clock: Clock;
  log: Log;
};

/** Counts stored rows, so that all processes share the count and a restart does not reset it. */
export function createFloodCheck({ messages, clock, log }: FloodDeps): () => Promise<boolean> {
  let cached: { at: number; isFlood: Promise<boolean> } | undefined;

  async function count(): Promise<boolean> {
    const now = clock.now().getTime();
    const [after, upTo] = [now - floodLimits.windowMs, now].map(time => new Date(time).toISOString());
    const counting = messages.countStored(after as string, upTo as string, floodLimits.max + 1);
    return (await countOrFallback(0, counting, log, 'flood count failed')) > floodLimits.max;
  }

  return () => {
    const at = performance.now();
    if (!cached || at - cached.at > cacheMs) cached = { at, isFlood: count() };
    return cached.isFlood;
  };
}
