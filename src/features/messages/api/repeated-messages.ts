import type { Clock } from '../../../core/clock.ts';
import type { HmacSigner } from '../../../core/hmac.ts';
import { countOrFallback, type RateCounts } from '../../../core/http/rate-limits.ts';
import type { Log } from '../../../core/log.ts';
import type { RepeatCounter } from '../receive-message.ts';

const windowMs = 24 * 60 * 60 * 1000;

type RepeatCounterDeps = { counts: RateCounts; clock: Clock; hmac: HmacSigner; log: Log };

export function createRepeatCounter({ counts, clock, hmac, log }: RepeatCounterDeps): RepeatCounter {
  const hash = (normalizedText: string) => hmac.sign('repeats', normalizedText);

  return {
    async count(normalizedText) {
      const known = counts.read([hash(normalizedText)], clock.now().toISOString());
      return (await countOrFallback(undefined, known, log, 'repeat count failed'))?.[0];
    },
    add(normalizedText) {
      const now = clock.now();
      const resetsAt = new Date(now.getTime() + windowMs).toISOString();
      countOrFallback(
        undefined,
        counts.add([hash(normalizedText)], now.toISOString(), resetsAt),
        log,
        'repeat count failed',
      );
    },
  };
}
