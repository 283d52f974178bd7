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

export type Parcel = MessageParcel | NoticeParcel;

export type Attempt = {
  /** An earlier attempt may have arrived, and this receiver cannot tell: what arrives now may be there twice. */
  isPossiblyTwice: boolean;
  /** Aborted when the attempt has taken too long, or the process is about to end. */
  signal: AbortSignal;
};

/**
 * `delivered`: the receiver said so in the way it is known to. `failed`: try again later; ambiguous when it may have
 * arrived all the same. `refused`: the receiver will take nothing until somebody mends its settings.
 */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'failed'; why: string; isAmbiguous: boolean; retryAfterMs?: number }
  | { kind: 'refused'; why: string; isAmbiguous?: boolean };

export const receiverNames = ['sheet', 'mail', 'webhook'] as const;
export type ReceiverName = (typeof receiverNames)[number];

/** `why` is for the owner's eyes and the log: it never holds what a visitor wrote, nor a credential. */
export type Receiver = {
  name: ReceiverName;
  /** Where it is, without a credential: a file, a host. */
  place: string;
  /** Attempts at once, and begun per second, in one process. */
  concurrency: number;
  perSecond: number;
  /** Sending again replaces what is there: no attempt can arrive twice. */
  isUpserting: boolean;
  deliver(parcel: Parcel, attempt: Attempt): Promise<Outcome>;
  /** Where the receiver can be asked: whether the parcel is there already. Throws when it cannot tell. */
  find?(parcel: Parcel, signal: AbortSignal): Promise<boolean>;
  close?(): void;
};
