import type { Clock } from '../../lib/clock.ts';
import type { MessageFilter, Messages } from '../../store/messages.ts';

type ReleaseDeps = {
  messages: Pick<Messages, 'releaseSome'>;
  clock: Clock;
  receivers: readonly string[];
  /** Told how many were released so far. */
  onReleased?(released: number): void;
};

/**
 * Lets all messages that fit out of quarantine, and on their way to everyone who does not have them: a few hundred in one
 * transaction, so that no visitor waits. If it is cut off or run twice at once, each message is still released once.
 */
export async function releaseQuarantined(
  { messages, clock, receivers, onReleased }: ReleaseDeps,
  filter: Pick<MessageFilter, 'reason' | 'since' | 'upTo'>,
): Promise<number> {
  for (let released = 0; ; ) {
    const some = await messages.releaseSome(filter, receivers, clock.now().toISOString());
    if (some === 0) return released;
    released += some;
    onReleased?.(released);
  }
}
