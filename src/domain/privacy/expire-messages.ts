import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Privacy } from '../../store/privacy.ts';
import type { Schedule } from '../../store/schedule.ts';
import type { ExternalCopies } from './external-copies.ts';

export type ExpireDeps = {
  privacy: Pick<Privacy, 'listExpired' | 'listDigests' | 'removeMessages' | 'removeNotices' | 'settleLog'>;
  copies: Pick<ExternalCopies, 'expire'>;
  schedule: Pick<Schedule, 'lastTurn' | 'noteDone'>;
  clock: Clock;
  log: Log;
};

/** In days; 0 keeps them for ever. */
export type Keep = { messagesDays: number; quarantineDays: number };

const day = 24 * 60 * 60 * 1000;
/** Per transaction, which visitors and a shutdown wait for; and per run. */
const [most, mostInAll] = [500, 50_000];

/** Files go before the rows that name them, so that an interrupted run is repeated. Safe to run concurrently. */
export async function expireMessages(deps: ExpireDeps, keep: Keep, signal?: AbortSignal): Promise<void> {
  const { privacy, copies, log } = deps;
  const now = deps.clock.now().getTime();
  if (await isAfterLongPause(deps, now)) return;
  const cutoff = (days: number) => (days === 0 ? undefined : new Date(now - days * day).toISOString());
  const [messagesBefore, quarantineBefore] = [cutoff(keep.messagesDays), cutoff(keep.quarantineDays)];
  const total = { messages: 0, undelivered: 0, rows: 0, mails: 0, notices: 0 };
  const add = (counts: Partial<typeof total>) => {
    for (const name of Object.keys(counts) as (keyof typeof total)[]) total[name] += counts[name] ?? 0;
  };

  /** Called once for all of them, because each call reads every file. */
  async function forget(references: readonly string[], before: string | undefined): Promise<void> {
    if (references.length > 0 || before)
      add(await copies.expire({ references: new Set(references), before }));
    for (let at = 0; at < references.length && !signal?.aborted; at += most) {
      add(await privacy.removeMessages(references.slice(at, at + most)));
    }
  }

  if (quarantineBefore) {
    const digests = await privacy.listDigests(quarantineBefore, mostInAll);
    const old = await privacy.listExpired(['quarantined', 'spam'], quarantineBefore, mostInAll);
    await forget([...digests, ...old], undefined);
  }
  if (messagesBefore && !signal?.aborted) {
    await forget(await privacy.listExpired(['new', 'empty'], messagesBefore, mostInAll), messagesBefore);
    add({ notices: await privacy.removeNotices(messagesBefore) });
  }
  const { undelivered, ...gone } = total;
  if (Object.values(gone).every(count => count === 0)) return;
  await privacy.settleLog();
  log.info('messages expired', gone);
  if (undelivered > 0) log.warn('messages expired before they were delivered', { deliveries: undelivered });
}

const longPauseMs = 7 * day;

/** A clock that is years ahead must not delete everything: after a week without a run, the first one only says so. */
async function isAfterLongPause({ schedule, log }: ExpireDeps, now: number): Promise<boolean> {
  const last = await schedule.lastTurn('retention');
  await schedule.noteDone('retention', new Date(now).toISOString());
  if (last === undefined || now - Date.parse(last) <= longPauseMs) return false;
  log.warn('retention waits an hour', { last, why: 'it last ran long ago: is the clock right?' });
  return true;
}
