import type { Clock } from '../../lib/clock.ts';
import type { Messages } from '../../store/messages.ts';

export async function markSpam(
  { messages, clock }: { messages: Pick<Messages, 'get' | 'markSpam'>; clock: Clock },
  reference: string,
): Promise<{ kind: 'marked' } | { kind: 'unknown' } | { kind: 'not marked'; state: string }> {
  if (await messages.markSpam(reference, clock.now().toISOString())) return { kind: 'marked' };
  const message = await messages.get(reference);
  return message ? { kind: 'not marked', state: message.state } : { kind: 'unknown' };
}
