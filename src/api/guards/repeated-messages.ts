import type { RepeatCounter } from '../../domain/messages/receive-message.ts';
import type { Clock } from '../../lib/clock.ts';
import type { KeyedHash } from '../../lib/keyed-hash.ts';
import type { Log } from '../../lib/log.ts';
import { countOrFallback, type RateCounts } from './rate-limit.ts';

const windowMs = 24 * 60 * 60 * 1000;

type RepeatCounterDeps = { counts: RateCounts; clock: Clock; keys: KeyedHash; log: Log };

export function createRepeatCounter({ counts, clock, keys, log }: RepeatCounterDeps): RepeatCounter {
  const hash = (words: string) => keys.sign('repeats', words);

  return {
    async count(words) {
      const known = counts.read([hash(words)], clock.now().toISOString());
      return (await countOrFallback<number[]>([], known, log, 'repeats not counted'))[0];
    },
    add(words) {
      const now = clock.now();
      const resetsAt = new Date(now.getTime() + windowMs).toISOString();
      countOrFallback(
        undefined,
        counts.add([hash(words)], now.toISOString(), resetsAt),
        log,
        'repeats not counted',
      );
    },
  };
}

export const noRepeatCounter: RepeatCounter = { count: () => Promise.resolve(0), add: () => undefined };
