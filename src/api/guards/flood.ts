import { type Clock, within } from '../../lib/clock.ts';
import { errorFields, type Log } from '../../lib/log.ts';

/** More messages than a whole campaign of the company brings. */
export const floodLimits = { windowMs: 10 * 60 * 1000, max: 600 } as const;

/** The count is shared by all requests of such a time. */
const keptMs = 1000;
/** Counting must not keep a visitor from being answered. */
const countWithinMs = 1500;

type FloodDeps = {
  messages: { countStored(after: string, upTo: string, max: number): Promise<number> };
  clock: Clock;
  log: Log;
};

/**
 * Whether more messages were stored of late than people send. The stored rows themselves are counted: a replay, a refusal or
 * an empty message adds none, all processes share the count, and a restart does not reset it.
 */
export function createFloodCheck({ messages, clock, log }: FloodDeps): () => Promise<boolean> {
  let kept: { at: number; answer: Promise<boolean> } | undefined;

  async function count(): Promise<boolean> {
    const now = clock.now().getTime();
    const [after, upTo] = [now - floodLimits.windowMs, now].map(time => new Date(time).toISOString());
    try {
      const counting = messages.countStored(after as string, upTo as string, floodLimits.max + 1);
      return (await within(countWithinMs, counting)) > floodLimits.max;
    } catch (error) {
      // A database that is gone will refuse the message itself.
      log.error('flood not counted', errorFields(error));
      return false;
    }
  }

  return () => {
    const at = performance.now();
    if (!kept || at - kept.at > keptMs) kept = { at, answer: count() };
    return kept.answer;
  };
}
