import type { Log } from '../../lib/log.ts';
import type { Turns } from '../../store/turns.ts';

const longestPauseMs = 7 * 24 * 60 * 60 * 1000;

/** A clock that is years ahead must not delete everything: after a long pause it has an hour to be put right. */
export async function hasJumped(
  { turns, log }: { turns: Pick<Turns, 'lastTurn' | 'noteDone'>; log: Log },
  now: number,
  chore: string,
): Promise<boolean> {
  const last = await turns.lastTurn(chore);
  await turns.noteDone(chore, new Date(now).toISOString());
  if (last === undefined || now - Date.parse(last) <= longestPauseMs) return false;
  log.warn('retention waits an hour', { last, why: 'it last ran long ago: is the clock right?' });
  return true;
}
