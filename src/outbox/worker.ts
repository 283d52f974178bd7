import { createDeliveryQueue } from './delivery-queue.ts';
import { createJobScheduler } from './job-scheduler.ts';
import { createMaintenanceJobs } from './maintenance-jobs.ts';
import type { WorkerDeps } from './worker-deps.ts';

export type Worker = {
  /** Resumes paused receivers: a restart follows a change of settings. */
  start(): Promise<void>;
  wake(): void;
  stop(): Promise<void>;
};

const choresEveryMs = 60_000;

/** Every receiver has a line of its own, so that a slow one does not delay the others. */
export function createWorker(deps: WorkerDeps): Worker {
  const chores = createMaintenanceJobs(deps, nudge);
  const lines = deps.receivers.map(receiver => createDeliveryQueue(deps, receiver, chores.report));
  const errands = createJobScheduler(deps.jobs ?? [], deps);
  let timer: NodeJS.Timeout | undefined;
  let tidying: Promise<void> | undefined;
  let isRunning = false;
  let isStopped = false;

  function nudge(): void {
    if (!isRunning) return;
    for (const line of lines) line.look();
    errands.wake();
  }

  function tidy(): void {
    tidying ??= chores.tidy().finally(() => {
      tidying = undefined;
    });
  }

  return {
    wake: nudge,
    async start() {
      for (const { name } of deps.receivers) {
        if (await deps.receiverStates.resume(name)) deps.log.info('receiver resumed', { receiver: name });
      }
      const known = deps.receivers.map(({ name }): string => name);
      for (const name of (await deps.outbox.listReceivers()).filter(waiting => !known.includes(waiting))) {
        deps.log.warn('deliveries wait for a receiver that is not configured', { receiver: name });
      }
      if (isStopped) return;
      isRunning = true;
      for (const line of lines) line.start();
      errands.start();
      timer = setInterval(tidy, choresEveryMs);
      tidy();
    },
    async stop() {
      isStopped = true;
      isRunning = false;
      clearInterval(timer);
      await Promise.all([...lines.map(line => line.stop()), errands.stop(), tidying]);
    },
  };
}
