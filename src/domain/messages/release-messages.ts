import type { Clock } from '../../lib/clock.ts';
import type { Messages } from '../../store/messages.ts';
import type { MessageFilter } from '../../store/select-messages.ts';

type ReleaseDeps<Method extends keyof Messages> = {
  messages: Pick<Messages, Method>;
  clock: Clock;
  receivers: readonly string[];
};

export async function releaseMessage(
  deps: ReleaseDeps<'get' | 'release'>,
  reference: string,
): Promise<{ kind: 'released' } | { kind: 'unknown' } | { kind: 'not quarantined'; state: string }> {
  const now = deps.clock.now().toISOString();
  if (await deps.messages.release(reference, deps.receivers, now)) return { kind: 'released' };
  const message = await deps.messages.get(reference);
  return message ? { kind: 'not quarantined', state: message.state } : { kind: 'unknown' };
}

/** In batches, so that no visitor waits. Safe to interrupt and to run concurrently. */
export async function releaseQuarantined(
  { messages, clock, receivers }: ReleaseDeps<'releaseBatch'>,
  filter: Pick<MessageFilter, 'reason' | 'since' | 'upTo'>,
): Promise<number> {
  for (let released = 0; ; ) {
    const some = await messages.releaseBatch(filter, receivers, clock.now().toISOString());
    if (some === 0) return released;
    released += some;
  }
}
