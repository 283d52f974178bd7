import type { Schedule, ScheduledRun } from '../database/schedule.ts';
import type { Ids } from '../ids.ts';
import type { Receiver } from './delivery.ts';

export type Notice = { title: string; text: string };

/** Where features meet: any of them tells the owner something, and the owner's receivers deliver it. */
export type NotifyOwner = ReturnType<typeof createNotifyOwner>;

type NotifyDeps = {
  schedule: Pick<Schedule, 'claimScheduledRun'>;
  ids: Pick<Ids, 'reference'>;
  listReceivers(): readonly Receiver[];
  wake(): void;
};

export function createNotifyOwner({ schedule, ids, listReceivers, wake }: NotifyDeps) {
  /** Once in a period, over all processes. Returns to how many receivers it goes; undefined where it went before. */
  return async (
    run: ScheduledRun,
    notice: object,
    accepts: (receiver: Receiver) => boolean | undefined = () => true,
  ): Promise<number | undefined> => {
    const names = listReceivers()
      .filter(one => one.isForOwner && accepts(one))
      .map(({ name }) => name);
    const payload = JSON.stringify(notice);
    const queued = { reference: ids.reference(), receivers: names, payload, now: run.now };
    if (!(await schedule.claimScheduledRun(run, queued))) return undefined;
    wake();
    return names.length;
  };
}
