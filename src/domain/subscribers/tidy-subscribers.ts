import type { Clock } from '../../lib/clock.ts';
import type { Outbox } from '../../store/outbox.ts';
import type { Subscribers } from '../../store/subscribers.ts';

type TidyDeps = {
  subscribers: Pick<Subscribers, 'purge'>;
  outbox: Pick<Outbox, 'takeTurn'>;
  clock: Clock;
};

const hour = 60 * 60 * 1000;
/** Whoever has not confirmed by then has not agreed to be kept. */
const pendingMs = 7 * 24 * hour;

/** Forgets requests that were never confirmed: once an hour, whatever the number of processes. How many there were. */
export async function tidySubscribers({ subscribers, outbox, clock }: TidyDeps): Promise<number> {
  const time = clock.now().getTime();
  const at = (ago: number) => new Date(time - ago).toISOString();
  const isOurs = await outbox.takeTurn({ chore: 'newsletter-purge', now: at(0), notSince: at(hour) });
  return isOurs ? subscribers.purge({ pendingBefore: at(pendingMs), now: at(0) }) : 0;
}
