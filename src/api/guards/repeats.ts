import type { Repeats } from '../../domain/messages/receive-message.ts';
import { type Clock, within } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { Counts } from './rate-limit.ts';

const windowMs = 24 * 60 * 60 * 1000;
/** Counting must not keep a visitor from being answered. */
const countWithinMs = 1500;

type RepeatsDeps = { counts: Counts; clock: Clock; keys: Keys; log: Log };

/** Only a keyed hash of the words is kept, for a day. Whoever cannot count takes no words for repeated. */
export function createRepeats({ counts, clock, keys, log }: RepeatsDeps): Repeats {
  const nameOf = (words: string) => keys.sign('repeats', words);
  const giveUp = (error: unknown) => {
    log.error('repeats not counted', errorFields(error));
    return undefined;
  };

  return {
    async count(words) {
      const now = clock.now().toISOString();
      return within(countWithinMs, counts.read([nameOf(words)], now)).then(([count]) => count, giveUp);
    },
    note(words) {
      const now = clock.now();
      const resetsAt = new Date(now.getTime() + windowMs).toISOString();
      counts.add([nameOf(words)], now.toISOString(), resetsAt).catch(giveUp);
    },
  };
}

export const noRepeats: Repeats = { count: () => Promise.resolve(0), note: () => undefined };
