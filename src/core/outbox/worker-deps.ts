import type { Clock } from '../clock.ts';
import type { DeliveryState } from '../database/tables.ts';
import type { Ids } from '../ids.ts';
import type { Log } from '../log.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { DeliveryKinds, Receiver } from './delivery.ts';
import type { Failure } from './failures.ts';
import type { Job } from './job-scheduler.ts';
import type { Outbox } from './outbox.ts';
import type { ReceiverStates } from './receivers.ts';

export type ReceiverProblem = 'paused' | 'failed' | 'failing';

export type ReportProblem = (receiver: Receiver, problem: ReceiverProblem, failure: Failure) => Promise<void>;

export type WorkerDeps = {
  outbox: Outbox;
  receiverStates: ReceiverStates;
  kinds: DeliveryKinds;
  receivers: readonly Receiver[];
  reportProblem: ReportProblem;
  jobs?: readonly Job[];
  clock: Clock;
  clockGuard?: ClockGuard;
  ids: Ids;
  log: Log;
  random(): number;
  onSettled?(receiver: string, state: DeliveryState): void;
};
