import { parseMailHeaderAddress } from '../../lib/email-address.ts';
import { type ChangeDeps, type ChangeResult, changeState } from './change-state.ts';

/** Records that the owner has replied, or is about to: the reply itself is written in their mail program. */
export async function answerMessage(
  deps: ChangeDeps,
  reference: string,
  note?: string,
): Promise<(Extract<ChangeResult, { kind: 'changed' }> & { replyTo: string | undefined }) | NotAnswered> {
  const result = await changeState(deps, reference, { from: ['new', 'closed'], to: 'answered' }, note);
  if (result.kind !== 'changed') return result;
  return { ...result, replyTo: parseMailHeaderAddress(result.message.email.trim()) };
}

type NotAnswered = Exclude<ChangeResult, { kind: 'changed' }>;
