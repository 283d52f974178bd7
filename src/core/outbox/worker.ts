import { createDeliveryQueue } from './delivery-queue.ts';
import { createJobScheduler } from './job-scheduler.ts';
import type { WorkerDeps } from './worker-deps.ts';

export type Worker = ReturnType<typeof createWorker>;

export function createWorker(deps: WorkerDeps) {
  const queues = deps.receivers.map(receiver => createDeliveryQueue(deps, receiver));
  const scheduler = createJobScheduler(deps.jobs ?? [], deps);
  let isRunning = false;
  let isStopped = false;

  function wake(): void {
    if (!isRunning) return;
    for (const queue of queues) queue.wake();
    scheduler.wake();
  }

  return {
    wake,
    async start() {
      for (const { name } of deps.receivers) {
        if (await deps.receiverStates.resume(name)) deps.log.info('receiver resumed', { receiver: name });
      }
      const known = deps.receivers.map(({ name }) => name);
      for (const name of (await deps.outbox.listReceivers()).filter(waiting => !known.includes(waiting))) {
        deps.log.warn('deliveries wait for a receiver that is not configured', { receiver: name });
      }
      if (isStopped) return;
      isRunning = true;
      for (const queue of queues) queue.start();
      scheduler.start();
    },
    async stop() {
      isStopped = true;
      isRunning = false;
      await Promise.all([...queues.map(queue => queue.stop()), scheduler.stop()]);
    },
  };
}
