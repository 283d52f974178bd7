import type { Receiver } from '../deliveries/delivery.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Messages } from '../store/messages.ts';
import type { NewsletterIssues } from '../store/newsletter-issues.ts';
import type { Outbox } from '../store/outbox.ts';
import type { ReceiverStates } from '../store/receivers.ts';
import type { Schedule } from '../store/schedule.ts';
import type { Subscribers } from '../store/subscribers.ts';
import type { DeliveryState, MessageRow } from '../store/tables.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { Job } from './job-scheduler.ts';

export type WorkerDeps = {
  outbox: Outbox;
  receiverStates: ReceiverStates;
  schedule: Schedule;
  messages: Pick<Messages, 'get' | 'listQuarantined' | 'countQuarantined' | 'countStored'>;
  subscribers: Pick<Subscribers, 'get' | 'addToken' | 'inTransaction'>;
  newsletterIssues: Pick<NewsletterIssues, 'get'>;
  receivers: readonly Receiver[];
  /** The address to which the acknowledgement of a message may go now. */
  claimAcknowledgement(message: MessageRow): Promise<string | undefined>;
  jobs?: readonly Job[];
  clock: Clock;
  clockGuard?: ClockGuard;
  ids: Ids;
  log: Log;
  random(): number;
  onSettled?(receiver: string, state: DeliveryState): void;
};
