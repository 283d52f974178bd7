import type { DiskSpaceCheck } from './disk-space.ts';

/** A visitor's message, exactly as it was stored. Each receiver escapes it for its own medium. */
export type MessagePayload = {
  kind: 'message';
  /** The same for every attempt: a Message-ID, a webhook-id, a column of the sheet. */
  reference: string;
  receivedAt: string;
  name: string;
  email: string;
  message: string;
  service: string;
};

/** From the site itself to its owner, such as a digest. Plain text. */
export type NoticePayload = {
  kind: 'notice';
  reference: string;
  receivedAt: string;
  title: string;
  text: string;
};

export type ConfirmationPayload = {
  kind: 'confirmation';
  reference: string;
  receivedAt: string;
  to: string;
  /** Made for this one attempt. */
  token: string;
};

export type NewsletterPayload = {
  kind: 'issue';
  reference: string;
  receivedAt: string;
  to: string;
  subscriber: string;
  subject: string;
  /** With `unsubscribePlaceholder` in place of the subscriber's own link. */
  html: string;
  text: string;
};

export type GroupedMessage = MessagePayload & { isShortened: boolean; isPossibleDuplicate: boolean };

/** During a flood the owner gets one mail in ten minutes. */
export type MessageGroup = {
  /** Of this one attempt: the next may contain other messages. */
  reference: string;
  at: string;
  messages: readonly GroupedMessage[];
  waiting: number;
  /** Without texts it lists references only, for a filter that refuses what visitors wrote. */
  hasTexts: boolean;
};

export type Payload = MessagePayload | NoticePayload | ConfirmationPayload | NewsletterPayload;

export function assertForOwner(payload: Payload): asserts payload is MessagePayload | NoticePayload {
  if (payload.kind === 'confirmation' || payload.kind === 'issue')
    throw new Error(`${payload.kind} ${payload.reference} is not for the owner`);
}

export type Attempt = {
  /** An earlier attempt may have arrived, and this receiver does not deduplicate. */
  isPossibleDuplicate: boolean;
  signal: AbortSignal;
};

export type Outcome =
  | { kind: 'delivered' }
  /** `isAmbiguous`: it may have arrived all the same. */
  | {
      kind: 'retry';
      why: string;
      isAmbiguous: boolean;
      retryAfterMs?: number;
      /** A mail server's permanent reply about the recipient; `unknown`: no such mailbox. */
      recipient?: 'rejected' | 'unknown';
      /** The receiver answered that it does not take this payload; several in a row mean that it is failing. */
      isRefused?: boolean;
    }
  /** The receiver takes nothing until its settings are corrected. Visitor input never leads to this. */
  | { kind: 'misconfigured'; why: string }
  /** This one payload is not retried. */
  | { kind: 'permanent'; why: string; isUnknownMailbox: boolean; isAmbiguous?: boolean };

export type RetryableFailure = Extract<Outcome, { kind: 'retry' }>;

export function retryLater(why: string, isAmbiguous: boolean): RetryableFailure {
  return { kind: 'retry', why, isAmbiguous };
}

export type FilesDeps = { dataDir: string; lowSpace?: DiskSpaceCheck };

export const receiverNames = ['sheet', 'mail', 'webhook'] as const;
export type ReceiverName = (typeof receiverNames)[number];

/** Two queues, so that a confirmation does not wait behind a whole issue. */
export const newsletterQueues = ['confirmations', 'newsletter'] as const;
export type NewsletterQueue = (typeof newsletterQueues)[number];

export function isNewsletterQueue(name: string): name is NewsletterQueue {
  return newsletterQueues.some(line => line === name);
}

/** An outcome's `why` is shown and logged: it never contains what a visitor wrote, nor a credential. */
export type Receiver = {
  name: ReceiverName | NewsletterQueue;
  /** Without credentials: a file, a host. */
  destination: string;
  /** Per process. */
  concurrency: number;
  perSecond: number;
  /** Sending again replaces what is there: no attempt can arrive twice. */
  isIdempotent: boolean;
  /** What may have arrived is not sent again, unless the owner says so. */
  isAtMostOnce?: boolean;
  deliver(payload: Payload, attempt: Attempt): Promise<Outcome>;
  deliverGroup?(group: MessageGroup, signal: AbortSignal): Promise<Outcome>;
  /** Why no file may be written now. The outbox claims nothing for the receiver meanwhile. */
  lowSpace?: DiskSpaceCheck;
  /** Whether the payload has arrived already. Throws when the receiver does not say. */
  find?(payload: Payload, signal: AbortSignal): Promise<boolean>;
  close?(): void;
};

export type GroupReceiver = Receiver & Required<Pick<Receiver, 'deliverGroup'>>;

export function isGroupReceiver(receiver: Receiver): receiver is GroupReceiver {
  return receiver.deliverGroup !== undefined;
}
