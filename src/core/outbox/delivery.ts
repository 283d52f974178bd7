import type { MessageFields } from '../../features/messages/message-fields.ts';
import type { DiskSpaceCheck } from './disk-space.ts';

/** `reference` is the same for every attempt: a Message-ID, a webhook-id, a column of the sheet. */
type PayloadBase = { reference: string; receivedAt: string };

/** A visitor's message, exactly as it was stored. Each receiver escapes it for its own medium. */
export type MessagePayload = PayloadBase &
  MessageFields & {
    kind: 'message';
    /** The id of the audit report that it is about. */
    auditReport?: string;
  };

export type NoticePayload = PayloadBase & { kind: 'notice'; title: string; text: string };

export type ConfirmationPayload = PayloadBase & { kind: 'confirmation'; to: string; token: string };

/** Nothing of the message: what a visitor wrote must not reach an address that they entered. */
export type AcknowledgementPayload = PayloadBase & { kind: 'acknowledgement'; to: string };

export type NewsletterPayload = PayloadBase & {
  kind: 'issue';
  to: string;
  subscriber: string;
  subject: string;
  html: string;
  text: string;
};

export type Payload =
  | MessagePayload
  | NoticePayload
  | AcknowledgementPayload
  | ConfirmationPayload
  | NewsletterPayload;

export function assertForOwner(payload: Payload): asserts payload is MessagePayload | NoticePayload {
  if (payload.kind !== 'message' && payload.kind !== 'notice')
    throw new Error(`${payload.kind} ${payload.reference} is not for the owner`);
}

export type Attempt = {
  /** An earlier attempt may have arrived, and this receiver does not deduplicate. */
  isPossibleDuplicate: boolean;
  signal: AbortSignal;
};

export type Outcome =
  | { kind: 'delivered' }
  | {
      kind: 'retry';
      reason: string;
      isAmbiguous: boolean;
      retryAfterMs?: number;
      recipient?: 'refused' | 'unknown';
    }
  /** The receiver takes nothing until its settings are corrected. Visitor input never leads to this. */
  | { kind: 'misconfigured'; reason: string; code?: 'wrong-secret' }
  | { kind: 'permanent'; reason: string; isUnknownMailbox: boolean; isAmbiguous?: boolean };

export type RetryableFailure = Extract<Outcome, { kind: 'retry' }>;

export function retryLater(reason: string, isAmbiguous: boolean): RetryableFailure {
  return { kind: 'retry', reason, isAmbiguous };
}

export type FilesDeps = { dataDir: string; checkDiskSpace?: DiskSpaceCheck };

export const ownerReceivers = ['sheet', 'mail', 'webhook'] as const;
export type OwnerReceiver = (typeof ownerReceivers)[number];

export function isForOwner(name: string): name is OwnerReceiver {
  return ownerReceivers.some(one => one === name);
}

/** Mail to a visitor whose message has arrived. */
export type VisitorReceiver = 'acknowledgements';

/** Two queues, so that a confirmation does not wait behind a whole issue. */
export const subscriberReceivers = ['confirmations', 'newsletter'] as const;
export type SubscriberReceiver = (typeof subscriberReceivers)[number];

export function isNewsletterQueue(name: string): name is SubscriberReceiver {
  return subscriberReceivers.some(one => one === name);
}

export type ReceiverName = OwnerReceiver | VisitorReceiver | SubscriberReceiver;

/** An outcome's `reason` is shown and logged: it never contains what a visitor wrote, nor a credential. */
export type Receiver = {
  name: ReceiverName;
  destination: string;
  concurrency: number;
  perSecond: number;
  isIdempotent: boolean;
  /** What may have arrived is not sent again, unless the owner says so. */
  isAtMostOnce?: boolean;
  deliver(payload: Payload, attempt: Attempt): Promise<Outcome>;
  /** Why no file may be written now. The outbox claims nothing for the receiver meanwhile. */
  checkDiskSpace?: DiskSpaceCheck;
  find?(payload: Payload, signal: AbortSignal): Promise<boolean>;
  close?(): void;
};
