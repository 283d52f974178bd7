import type { Clock } from '../../lib/clock.ts';
import type { Messages } from '../../store/messages.ts';

type MarkDeps = { messages: Pick<Messages, 'get' | 'markSpam'>; clock: Clock };

export type MarkResult = { kind: 'marked' } | { kind: 'unknown' } | { kind: 'not marked'; state: string };

/** Takes a message for spam: whoever does not have it yet will not get it. */
export async function markSpam({ messages, clock }: MarkDeps, reference: string): Promise<MarkResult> {
  if (await messages.markSpam(reference, clock.now().toISOString())) return { kind: 'marked' };
  const message = await messages.get(reference);
  return message ? { kind: 'not marked', state: message.state } : { kind: 'unknown' };
}
