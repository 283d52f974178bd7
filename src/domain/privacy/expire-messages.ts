import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Privacy } from '../../store/privacy.ts';
import type { Turns } from '../../store/turns.ts';
import type { Copies } from './copies.ts';
import { hasJumped } from './has-jumped.ts';

export type ExpireDeps = {
  privacy: Pick<Privacy, 'listExpired' | 'listDigests' | 'removeMessages' | 'removeNotices' | 'settleLog'>;
  copies: Pick<Copies, 'expire'>;
  turns: Pick<Turns, 'lastTurn' | 'noteDone'>;
  clock: Clock;
  log: Log;
};

/** In days; 0 is for ever. */
export type Keep = { messagesDays: number; quarantineDays: number };

const day = 24 * 60 * 60 * 1000;
/** Messages in one transaction, for which visitors and the end of a process wait; and in one run. */
const [most, mostInAll] = [500, 50_000];

/**
 * Removes what is older than it may be. Files go before the rows that name them: whoever is cut off half-way does it
 * again at the next turn. Any number of processes may do it at once.
 */
export async function expireMessages(deps: ExpireDeps, keep: Keep, signal?: AbortSignal): Promise<void> {
  const { privacy, copies, log } = deps;
  const now = deps.clock.now().getTime();
  if (await hasJumped(deps, now, 'retention')) return;
  const cutoff = (days: number) => (days === 0 ? undefined : new Date(now - days * day).toISOString());
  const [messagesBefore, quarantineBefore] = [cutoff(keep.messagesDays), cutoff(keep.quarantineDays)];
  const total = { messages: 0, undelivered: 0, rows: 0, mails: 0, notices: 0 };
  const add = (counts: Partial<typeof total>) => {
    for (const name of Object.keys(counts) as (keyof typeof total)[]) total[name] += counts[name] ?? 0;
  };

  /** Once for all of them: each time, every file is read. */
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
