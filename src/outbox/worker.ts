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

const maintenanceEveryMs = 60_000;

/** Every receiver has its own queue, so that a slow one does not delay the others. */
export function createWorker(deps: WorkerDeps): Worker {
  const maintenance = createMaintenanceJobs(deps, wake);
  const queues = deps.receivers.map(receiver => createDeliveryQueue(deps, receiver, maintenance.notifyOwner));
  const scheduler = createJobScheduler(deps.jobs ?? [], deps);
  let timer: NodeJS.Timeout | undefined;
  let maintaining: Promise<void> | undefined;
  let isRunning = false;
  let isStopped = false;

  function wake(): void {
    if (!isRunning) return;
    for (const queue of queues) queue.wake();
    scheduler.wake();
  }

  function maintain(): void {
    maintaining ??= maintenance.run().finally(() => {
      maintaining = undefined;
    });
  }

  return {
    wake,
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
      for (const queue of queues) queue.start();
      scheduler.start();
      timer = setInterval(maintain, maintenanceEveryMs);
      maintain();
    },
    async stop() {
      isStopped = true;
      isRunning = false;
      clearInterval(timer);
      await Promise.all([...queues.map(queue => queue.stop()), scheduler.stop(), maintaining]);
    },
  };
}
