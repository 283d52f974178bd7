import type { Clock } from '../../core/clock.ts';
import type { Schedule } from '../../core/database/schedule.ts';
import type { Storage } from '../../core/database/storage-cleanup.ts';
import type { MessageState } from '../../core/database/tables.ts';
import type { LocalCopies } from '../../core/local-files.ts';
import type { Log } from '../../core/log.ts';
import type { Messages } from './messages.ts';
import { heldBackStates } from './states.ts';

export type ExpireDeps = {
  messages: Pick<Messages, 'listExpired' | 'listDigests' | 'deleteExpiredMessages' | 'deleteExpiredNotices'>;
  storage: Pick<Storage, 'removeRemains'>;
  copies: Pick<LocalCopies, 'expire'>;
  schedule: Pick<Schedule, 'lastRun' | 'recordRun'>;
  clock: Clock;
  log: Log;
};

export type RetentionPeriods = { messagesDays: number; quarantineDays: number };

const inInbox: MessageState[] = ['new', 'answered', 'closed', 'empty'];

const dayMs = 24 * 60 * 60 * 1000;
/** A batch is one transaction, which visitors and a shutdown wait for. */
const [batchSize, maxPerRun] = [500, 50_000];

/** Files go before the rows that name them, so that an interrupted run is repeated. Safe to run concurrently. */
export async function expireMessages(
  deps: ExpireDeps,
  retention: RetentionPeriods,
  signal?: AbortSignal,
): Promise<void> {
  const { messages, copies, log } = deps;
  const now = deps.clock.now().getTime();
  if (await skipAfterLongPause(deps, now)) return;
  const cutoff = (days: number) => (days === 0 ? undefined : new Date(now - days * dayMs).toISOString());
  const [messagesBefore, quarantineBefore] = [
    cutoff(retention.messagesDays),
    cutoff(retention.quarantineDays),
  ];
  const total = { messages: 0, undelivered: 0, rows: 0, mails: 0, notices: 0 };
  const add = (counts: Partial<typeof total>) => {
    for (const name of Object.keys(counts) as (keyof typeof total)[]) total[name] += counts[name] ?? 0;
  };

  /** Each call of `expire` reads every file. */
  async function remove(
    references: readonly string[],
    states: readonly MessageState[],
    before: string | undefined,
  ): Promise<void> {
    if (references.length > 0 || before)
      add(await copies.expire({ references: new Set(references), before }));
    for (let at = 0; at < references.length && !signal?.aborted; at += batchSize) {
      add(await messages.deleteExpiredMessages(references.slice(at, at + batchSize), states));
    }
  }

  if (quarantineBefore) {
    const digests = await messages.listDigests(quarantineBefore, maxPerRun);
    const old = await messages.listExpired(heldBackStates, quarantineBefore, maxPerRun);
    await remove([...digests, ...old], heldBackStates, undefined);
  }
  if (messagesBefore && !signal?.aborted) {
    const old = await messages.listExpired(inInbox, messagesBefore, maxPerRun);
    await remove(old, inInbox, messagesBefore);
    add({ notices: await messages.deleteExpiredNotices(messagesBefore) });
  }
  const { undelivered, ...removed } = total;
  if (Object.values(removed).every(count => count === 0)) return;
  await deps.storage.removeRemains();
  log.info('messages expired', removed);
  if (undelivered > 0) log.warn('messages expired before they were delivered', { deliveries: undelivered });
}

const longPauseMs = 7 * dayMs;

/** Clock skew must not delete everything: after a week without a run, the first run only logs a warning. */
async function skipAfterLongPause({ schedule, log }: ExpireDeps, now: number): Promise<boolean> {
  const last = await schedule.lastRun('retention');
  await schedule.recordRun('retention', new Date(now).toISOString());
  if (last === undefined || now - Date.parse(last) <= longPauseMs) return false;
  log.warn('retention postponed', {
    last,
    reason: 'the last run was more than a week ago: is the clock right?',
  });
  return true;
}
