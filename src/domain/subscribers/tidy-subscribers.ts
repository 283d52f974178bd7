import type { Clock } from '../../lib/clock.ts';
import type { Outbox } from '../../store/outbox.ts';
import type { Subscribers } from '../../store/subscribers.ts';

type TidyDeps = {
  subscribers: Pick<Subscribers, 'purge' | 'listOldConfirmations'>;
  outbox: Pick<Outbox, 'takeTurn'>;
  /** Letters that were written as files. */
  copies: { forgetLetters(references: ReadonlySet<string>): Promise<void> };
  clock: Clock;
};

const hour = 60 * 60 * 1000;
/** Whoever has not confirmed by then has not agreed to be kept. */
const pendingMs = 7 * 24 * hour;
/** For as long a mailbox gets no second confirmation. */
const letterMs = 24 * hour;

/** Forgets requests that were never confirmed: once an hour, whatever the number of processes. How many there were. */
export async function tidySubscribers({ subscribers, outbox, copies, clock }: TidyDeps): Promise<number> {
  const time = clock.now().getTime();
  const at = (ago: number) => new Date(time - ago).toISOString();
  const isOurs = await outbox.takeTurn({ chore: 'newsletter-purge', now: at(0), notSince: at(hour) });
  if (!isOurs) return 0;
  const pendingBefore = at(pendingMs);
  // Files go before the rows that name them: whoever is cut off half-way does it again at the next turn.
  const letters = await subscribers.listOldConfirmations(pendingBefore);
  if (letters.length > 0) await copies.forgetLetters(new Set(letters));
  return subscribers.purge({ pendingBefore, lettersBefore: at(letterMs), now: at(0) });
}
