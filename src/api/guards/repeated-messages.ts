import type { Repeats } from '../../domain/messages/receive-message.ts';
import type { Clock } from '../../lib/clock.ts';
import type { KeyedHash } from '../../lib/keyed-hash.ts';
import type { Log } from '../../lib/log.ts';
import { type Counts, countOr } from './rate-limit.ts';

const windowMs = 24 * 60 * 60 * 1000;

type RepeatsDeps = { counts: Counts; clock: Clock; keys: KeyedHash; log: Log };

/** Stores only a keyed hash of the words, for a day. If counting fails, no words count as repeated. */
export function createRepeats({ counts, clock, keys, log }: RepeatsDeps): Repeats {
  const nameOf = (words: string) => keys.sign('repeats', words);

  return {
    async count(words) {
      const known = counts.read([nameOf(words)], clock.now().toISOString());
      return (await countOr<number[]>([], known, log, 'repeats not counted'))[0];
    },
    note(words) {
      const now = clock.now();
      const resetsAt = new Date(now.getTime() + windowMs).toISOString();
      countOr(
        undefined,
        counts.add([nameOf(words)], now.toISOString(), resetsAt),
        log,
        'repeats not counted',
      );
    },
  };
}

export const noRepeats: Repeats = { count: () => Promise.resolve(0), note: () => undefined };
