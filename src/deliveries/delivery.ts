import type { DiskFloor } from './disk-floor.ts';

/** The interface between the outbox and whoever receives what it hands out. */

/** A visitor's message, exactly as it was stored. What a receiver cannot bear, the receiver cleans. */
export type MessageParcel = {
  kind: 'message';
  /** The same for every attempt: a Message-ID, a webhook-id, a column of the sheet. */
  reference: string;
  receivedAt: string;
  name: string;
  email: string;
  message: string;
  service: string;
};

/** A word from the site itself to its owner: a receiver that is paused, a digest. Plain text, nothing to clean. */
export type NoticeParcel = {
  kind: 'notice';
  reference: string;
  receivedAt: string;
  title: string;
  text: string;
};

/** Asks a visitor whether the address is theirs. It holds nothing that was typed but the address. */
export type ConfirmationParcel = {
  kind: 'confirmation';
  reference: string;
  receivedAt: string;
  to: string;
  /** Made for this one attempt. */
  token: string;
};

/** An issue of the newsletter for one reader. */
export type IssueParcel = {
  kind: 'issue';
  reference: string;
  receivedAt: string;
  to: string;
  /** For the link by which this reader leaves. */
  subscriber: string;
  subject: string;
  /** With the mark `leaveMark` wherever that link belongs. */
  html: string;
  text: string;
};

/** One of many in a mail: short enough for all of them to fit. */
export type GroupedMessage = MessageParcel & { isShortened: boolean; isPossiblyTwice: boolean };

/** Messages that go together: during a flood the owner gets one mail in ten minutes. */
export type GroupParcel = {
  /** Of this one attempt: the next one may hold others. */
  reference: string;
  at: string;
  messages: readonly GroupedMessage[];
  /** How many are due and not among them. */
  waiting: number;
  /** Without them it names references alone, and holds no word of a stranger. */
  hasTexts: boolean;
};

/** What the owner is told, and what readers of the newsletter get. */
export type Parcel = MessageParcel | NoticeParcel | ConfirmationParcel | IssueParcel;

/** Whoever tells the owner has no words for a letter to a reader: none is ever given to it. */
export function assertForOwner(parcel: Parcel): asserts parcel is MessageParcel | NoticeParcel {
  if (parcel.kind === 'confirmation' || parcel.kind === 'issue')
    throw new Error(`${parcel.kind} ${parcel.reference} is not for the owner`);
}

export type Attempt = {
  /** An earlier attempt may have arrived, and this receiver cannot tell: what arrives now may be there twice. */
  isPossiblyTwice: boolean;
  /** Aborted when the attempt has taken too long, or the process is about to end. */
  signal: AbortSignal;
};

/**
 * `delivered`: the receiver said so in the way it is known to. `failed`: try again later; ambiguous when it may have
 * arrived all the same. A mail server that will have nothing to do with the one it is for says so for good: `recipient`
 * is then refused, or unknown where there is nobody. `isDefinite`: the receiver answered that it does not take this one;
 * several of those in a row show that it is failing. `refused`: the receiver will take nothing until its settings are
 * mended; what a parcel quotes never leads to this. `rejected`: this one parcel is not tried again; with `isUnknown`,
 * because there is nobody at its address.
 */
export type Outcome =
  | { kind: 'delivered' }
  | {
      kind: 'failed';
      why: string;
      isAmbiguous: boolean;
      retryAfterMs?: number;
      recipient?: 'refused' | 'unknown';
      isDefinite?: boolean;
    }
  | { kind: 'refused'; why: string }
  | { kind: 'rejected'; why: string; isUnknown: boolean; isAmbiguous?: boolean };

/** What a receiver needs that writes files. */
export type FilesDeps = { dataDir: string; lowSpace?: DiskFloor };

/** Whoever is told of messages. */
export const receiverNames = ['sheet', 'mail', 'webhook'] as const;
export type ReceiverName = (typeof receiverNames)[number];

/** Letters to readers leave by mail on lines of their own: nobody who has just asked waits behind a whole issue. */
export const letterLines = ['confirmations', 'newsletter'] as const;
export type LetterLine = (typeof letterLines)[number];

export function isLetterLine(name: string): name is LetterLine {
  return letterLines.some(line => line === name);
}

/** `why` is for the owner's eyes and the log: it never holds what a visitor wrote, nor a credential. */
export type Receiver = {
  name: ReceiverName | LetterLine;
  /** Where it is, without a credential: a file, a host. */
  place: string;
  /** Attempts at once, and begun per second, in one process. */
  concurrency: number;
  perSecond: number;
  /** Sending again replaces what is there: no attempt can arrive twice. */
  isUpserting: boolean;
  /** Better never than twice: what may have arrived is not sent again, unless somebody says so. */
  isAtMostOnce?: boolean;
  deliver(parcel: Parcel, attempt: Attempt): Promise<Outcome>;
  /** Absent where many messages at once disturb nobody. */
  deliverGroup?(group: GroupParcel, signal: AbortSignal): Promise<Outcome>;
  /** Of a receiver that writes files: why it may write none now. The outbox claims nothing for it meanwhile. */
  lowSpace?: DiskFloor;
  /** Where the receiver can be asked: whether the parcel is there already. Throws when it cannot tell. */
  find?(parcel: Parcel, signal: AbortSignal): Promise<boolean>;
  close?(): void;
};

export type GroupReceiver = Receiver & Required<Pick<Receiver, 'deliverGroup'>>;

export function isGroupReceiver(receiver: Receiver): receiver is GroupReceiver {
  return receiver.deliverGroup !== undefined;
}
