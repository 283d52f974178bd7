import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { countOr } from './rate-limit.ts';

export const floodLimits = { windowMs: 10 * 60 * 1000, max: 600 } as const;

const keptMs = 1000;

type FloodDeps = {
  messages: { countStored(after: string, upTo: string, max: number): Promise<number> };
  clock: Clock;
  log: Log;
};

/** Counts stored rows: replays and refusals add none, all processes share the count, and a restart does not reset it. */
export function createFloodCheck({ messages, clock, log }: FloodDeps): () => Promise<boolean> {
  let kept: { at: number; answer: Promise<boolean> } | undefined;

  async function count(): Promise<boolean> {
    const now = clock.now().getTime();
    const [after, upTo] = [now - floodLimits.windowMs, now].map(time => new Date(time).toISOString());
    const counting = messages.countStored(after as string, upTo as string, floodLimits.max + 1);
    return (await countOr(0, counting, log, 'flood not counted')) > floodLimits.max;
  }

  return () => {
    const at = performance.now();
    if (!kept || at - kept.at > keptMs) kept = { at, answer: count() };
    return kept.answer;
  };
}
