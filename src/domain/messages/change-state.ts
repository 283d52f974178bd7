import type { Clock } from '../../lib/clock.ts';
import type { StateChange } from '../../store/message-states.ts';
import type { Messages } from '../../store/messages.ts';
import type { MessageRow } from '../../store/tables.ts';

export type ChangeDeps = { messages: Pick<Messages, 'get' | 'changeState'>; clock: Clock };

export type ChangeResult = { kind: 'changed'; message: MessageRow } | UnchangedResult;
type UnchangedResult = { kind: 'unknown' } | { kind: 'not changed'; state: string };

/** The transition and its note are one transaction. */
export async function changeState(
  { messages, clock }: ChangeDeps,
  reference: string,
  { from, to }: Omit<StateChange, 'now'>,
  note?: string,
): Promise<ChangeResult> {
  const now = clock.now().toISOString();
  const isChanged = await messages.changeState(reference, { from, to, now }, note);
  const message = await messages.get(reference);
  if (!message) return { kind: 'unknown' };
  return isChanged ? { kind: 'changed', message } : { kind: 'not changed', state: message.state };
}
