import type { Clock } from '../../lib/clock.ts';
import type { Messages } from '../../store/messages.ts';

type ReleaseDeps = {
  messages: Pick<Messages, 'get' | 'release'>;
  clock: Clock;
  receivers: readonly string[];
};

export type ReleaseResult =
  | { kind: 'released' }
  | { kind: 'unknown' }
  | { kind: 'not put aside'; state: string };

/** Lets a message out of quarantine or spam, and on its way to everyone who does not have it. */
export async function releaseMessage(deps: ReleaseDeps, reference: string): Promise<ReleaseResult> {
  const now = deps.clock.now().toISOString();
  if (await deps.messages.release(reference, deps.receivers, now)) return { kind: 'released' };
  const message = await deps.messages.get(reference);
  return message ? { kind: 'not put aside', state: message.state } : { kind: 'unknown' };
}
