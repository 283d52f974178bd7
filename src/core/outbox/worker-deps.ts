import type { Messages } from '../../features/messages/messages.ts';
import type { NewsletterIssues } from '../../features/newsletter/newsletter-issues.ts';
import type { Subscribers } from '../../features/newsletter/subscribers.ts';
import type { Clock } from '../clock.ts';
import type { Schedule } from '../database/schedule.ts';
import type { DeliveryState, MessageRow } from '../database/tables.ts';
import type { Ids } from '../ids.ts';
import type { Log } from '../log.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { Receiver } from './delivery.ts';
import type { Job } from './job-scheduler.ts';
import type { Outbox } from './outbox.ts';
import type { ReceiverStates } from './receivers.ts';

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
