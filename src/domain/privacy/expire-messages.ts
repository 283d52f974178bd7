import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Privacy } from '../../store/privacy.ts';
import type { Copies } from './copies.ts';

export type ExpireDeps = {
  privacy: Pick<Privacy, 'listExpired' | 'listDigests' | 'removeMessages' | 'removeNotices' | 'settleLog'>;
  copies: Pick<Copies, 'expire'>;
  clock: Clock;
  log: Log;
};

/** In days; 0 is for ever. */
export type Keep = { messagesDays: number; quarantineDays: number };

const day = 24 * 60 * 60 * 1000;
/** Rows in one transaction, for which visitors and the end of a process wait; and how many of these in one run. */
const [most, mostBatches] = [500, 100];

/**
 * Removes what is older than it may be. Files go before the rows that name them: whoever is cut off half-way does it
 * again at the next turn. Any number of processes may do it at once.
 */
export async function expireMessages(deps: ExpireDeps, keep: Keep, signal?: AbortSignal): Promise<void> {
  const { privacy, copies, log } = deps;
  const now = deps.clock.now().getTime();
  const cutoff = (days: number) => (days === 0 ? undefined : new Date(now - days * day).toISOString());
  const [messagesBefore, quarantineBefore] = [cutoff(keep.messagesDays), cutoff(keep.quarantineDays)];
  const total = { messages: 0, undelivered: 0, rows: 0, mails: 0, notices: 0 };
  const add = (counts: Partial<typeof total>) => {
    for (const name of Object.keys(counts) as (keyof typeof total)[]) total[name] += counts[name] ?? 0;
  };

  if (quarantineBefore) {
    const digests = await privacy.listDigests(quarantineBefore, most * mostBatches);
    const old = await privacy.listExpired(['quarantined', 'spam'], quarantineBefore, most * mostBatches);
    const references = [...digests, ...old];
    // Once for all of them: each time, every file is read.
    if (references.length > 0)
      add(await copies.expire({ references: new Set(references), before: undefined }));
    for (let at = 0; at < references.length && !signal?.aborted; at += most) {
      add(await privacy.removeMessages(references.slice(at, at + most)));
    }
  }
  if (messagesBefore && !signal?.aborted) {
    add(await copies.expire({ references: new Set(), before: messagesBefore }));
    for (let batch = 0; batch < mostBatches && !signal?.aborted; batch++) {
      const old = await privacy.listExpired(['new', 'empty'], messagesBefore, most);
      if (old.length === 0) break;
      add(await privacy.removeMessages(old));
    }
    add({ notices: await privacy.removeNotices(messagesBefore) });
  }
  const { undelivered, ...gone } = total;
  if (Object.values(gone).every(count => count === 0)) return;
  await privacy.settleLog();
  log.info('messages expired', gone);
  if (undelivered > 0) log.warn('messages expired before they were delivered', { deliveries: undelivered });
}
