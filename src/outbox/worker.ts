import type { Receiver } from '../deliveries/delivery.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Issues } from '../store/issues.ts';
import type { Messages } from '../store/messages.ts';
import type { Outbox } from '../store/outbox.ts';
import type { Subscribers } from '../store/subscribers.ts';
import type { DeliveryState } from '../store/tables.ts';
import { createChores } from './chores.ts';
import { createErrands, type Errand } from './errands.ts';
import { createLine, type Line } from './line.ts';

export type WorkerDeps = {
  outbox: Outbox;
  messages: Pick<Messages, 'get' | 'listQuarantined' | 'countQuarantined' | 'countStored'>;
  subscribers: Pick<Subscribers, 'get' | 'addToken' | 'suppress'>;
  issues: Pick<Issues, 'get'>;
  /** Whoever is told of messages, and the lines on which letters leave. */
  receivers: readonly Receiver[];
  errands?: readonly Errand[];
  clock: Clock;
  ids: Ids;
  log: Log;
  /** From 0 up to 1, for the jitter. */
  random(): number;
  /** Told of each attempt that was settled, and as what. */
  onSettled?(receiver: string, state: DeliveryState): void;
};

export type Worker = {
  /** Begins to deliver. Whoever starts the process has seen to what paused a receiver before. */
  start(): Promise<void>;
  /** There may be something to deliver: look now and not at the next poll. */
  nudge(): void;
  /** Claims nothing more, waits a little for what is under way, and cuts it off after that. */
  stop(): Promise<void>;
};

const choresEveryMs = 60_000;

/** Every receiver has a line of its own: a slow or dead one delays nobody else. */
export function createWorker(deps: WorkerDeps): Worker {
  const chores = createChores(deps, nudge);
  const lines: Line[] = deps.receivers.map(receiver => createLine(deps, receiver, chores.report));
  const errands = createErrands(deps.errands ?? [], deps);
  let timer: NodeJS.Timeout | undefined;
  let tidying: Promise<void> | undefined;
  let isRunning = false;
  let isStopped = false;

  function nudge(): void {
    if (!isRunning) return;
    for (const line of lines) line.look();
    errands.look();
  }

  function tidy(): void {
    tidying ??= chores.tidy().finally(() => {
      tidying = undefined;
    });
  }

  return {
    nudge,
    async start() {
      for (const { name } of deps.receivers) {
        if (await deps.outbox.resume(name)) deps.log.info('receiver resumed', { receiver: name });
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
