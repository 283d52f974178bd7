import type { Log } from '../../lib/log.ts';
import type { Turns } from '../../store/turns.ts';

const hour = 60 * 60 * 1000;
const longestPauseMs = 7 * 24 * hour;
/** A little less than the time between two turns, so that the next one need not be missed by a moment. */
const waitMs = hour - 5 * 60 * 1000;

/**
 * A clock that is years ahead must not delete everything: after a long pause it has an hour to be put right. The hour is
 * kept with the data, so that neither another process nor the next start cuts it short.
 */
export async function hasJumped(
  { turns, log }: { turns: Pick<Turns, 'lastTurn' | 'noteDone'>; log: Log },
  now: number,
  chore: string,
): Promise<boolean> {
  const waiting = `${chore} waits`;
  const passedSince = (at: string | undefined) => (at === undefined ? undefined : now - Date.parse(at));
  const last = await turns.lastTurn(chore);
  const waited = passedSince(await turns.lastTurn(waiting)) ?? -1;
  const isLong = (passedSince(last) ?? 0) > longestPauseMs;
  // What was noted in another year, before or ahead, was another wait.
  const isWaiting = waited >= 0 && waited <= longestPauseMs;
  if (!isLong || (isWaiting && waited >= waitMs)) {
    await turns.noteDone(chore, new Date(now).toISOString());
    return false;
  }
  if (isWaiting) return true;
  await turns.noteDone(waiting, new Date(now).toISOString());
  log.warn('retention waits an hour', { last, why: 'it last ran long ago: is the clock right?' });
  return true;
}
