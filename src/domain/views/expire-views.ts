import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Turns } from '../../store/turns.ts';
import type { Views } from '../../store/views.ts';
import { hasJumped } from '../privacy/has-jumped.ts';

export type ExpireViewsDeps = {
  views: Pick<Views, 'removeBefore'>;
  turns: Pick<Turns, 'lastTurn' | 'noteDone'>;
  clock: Clock;
  log: Log;
};

/** Twenty-five months, so that a month can be held against the same one of the year before last. */
export const keepViewsDays = 760;

export async function expireViews(deps: ExpireViewsDeps): Promise<void> {
  const now = deps.clock.now().getTime();
  if (await hasJumped(deps, now, 'retention of views')) return;
  const before = new Date(now - keepViewsDays * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  await deps.views.removeBefore(before);
}
