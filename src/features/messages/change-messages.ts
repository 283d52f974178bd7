import type { Clock } from '../../core/clock.ts';
import type { MessageRow } from '../../core/database/tables.ts';
import type { Messages } from './messages.ts';
import type { MessageFilter } from './select-messages.ts';
import { type ChangeName, transitions } from './states.ts';

type Deps<Method extends keyof Messages> = {
  messages: Pick<Messages, Method>;
  clock: Clock;
  receivers: readonly string[];
};

export type ChangeResult = { reference: string } & (
  | { kind: 'changed' | 'not changed'; message: MessageRow }
  | { kind: 'unknown' }
);

/** The transition and its note are one transaction. */
export async function changeMessage(
  { messages, clock, receivers }: Deps<'get' | 'changeState' | 'markSpam' | 'release'>,
  name: ChangeName,
  reference: string,
  note?: string,
): Promise<ChangeResult> {
  const now = clock.now().toISOString();
  const isChanged =
    name === 'release'
      ? await messages.release(reference, receivers, now)
      : name === 'spam'
        ? await messages.markSpam(reference, now)
        : await messages.changeState(reference, { ...transitions[name], now }, note);
  const message = await messages.get(reference);
  if (!message) return { reference, kind: 'unknown' };
  return { reference, kind: isChanged ? 'changed' : 'not changed', message };
}

/** In batches, so that no visitor waits. Safe to interrupt and to run concurrently. */
export async function releaseQuarantined(
  { messages, clock, receivers }: Deps<'releaseBatch'>,
  filter: Pick<MessageFilter, 'reason' | 'since' | 'upTo'>,
): Promise<number> {
  for (let released = 0; ; ) {
    const some = await messages.releaseBatch(filter, receivers, clock.now().toISOString());
    if (some === 0) return released;
    released += some;
  }
}
