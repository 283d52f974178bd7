import type { DeliveryKindName } from '../database/tables.ts';
import type { Delivery, RescheduledState } from './deliveries.ts';
import type { DiskSpaceCheck } from './disk-space.ts';
import type { Failure } from './failures.ts';

/** `reference` is the same for every attempt: a Message-ID, a webhook-id, a column of the sheet. */
export type Payload = { kind: string; reference: string; receivedAt: string };

/** What a feature delivers: how a row becomes what its receiver gets. */
export type DeliveryKind = {
  /** `erased`: what it was about is gone. `cancelled`: it is no longer wanted. */
  createPayload(delivery: Delivery): Promise<Payload | 'erased' | 'cancelled'>;
  /** The state of one that is tried again later; without it, `waiting`. */
  getRescheduledState?(delivery: Delivery): RescheduledState;
  /** Called also where another process has settled it meanwhile. */
  afterAttempt?(delivery: Delivery, outcome: { kind: string; isUnknownMailbox?: boolean }): Promise<void>;
};

/** A kind of which a restore sends nothing again: its unfinished deliveries get this state. */
export type DroppedKind = {
  kind: DeliveryKindName;
  state: 'unconfirmed' | 'cancelled';
  /** The name of their number in `restore --json`. */
  counted: string;
  describe(count: number): string;
};

export type DeliveryKinds = Readonly<Record<string, DeliveryKind>>;

export type Attempt = {
  /** An earlier attempt may have arrived, and this receiver does not deduplicate. */
  isPossibleDuplicate: boolean;
  signal: AbortSignal;
};

export type Outcome =
  | { kind: 'delivered' }
  | {
      kind: 'retry';
      failure: Failure;
      isAmbiguous: boolean;
      retryAfterMs?: number;
      recipient?: 'refused' | 'unknown';
    }
  /** The receiver takes nothing until its settings are corrected. Visitor input never leads to this. */
  | { kind: 'misconfigured'; failure: Failure }
  | { kind: 'permanent'; failure: Failure; isUnknownMailbox: boolean; isAmbiguous?: boolean };

export type RetryableFailure = Extract<Outcome, { kind: 'retry' }>;

export function retryLater(failure: Failure, isAmbiguous: boolean): RetryableFailure {
  return { kind: 'retry', failure, isAmbiguous };
}

export type FilesDeps = { dataDir: string; checkDiskSpace?: DiskSpaceCheck };

/** One entry of a feature's table of receivers: what is known of it also where it is not set up. */
export type ReceiverType = {
  name: string;
  /** As the owner calls it. */
  label: string;
  /** As a notice calls those whom it reaches, in 'deliveries to the … fail'. */
  recipients: string;
  /** The owner's own: it gets notices and test messages, and each delivery that fails is reported. */
  isForOwner?: boolean;
  /** It is read as it fills, so it also gets news of the moment. */
  isReadAtOnce?: boolean;
  /** It gets digests, which quote what strangers wrote. */
  takesDigests?: boolean;
  /** Deliveries that keep failing are reported: they are no fault of one visitor's mail server. */
  isFailingReported?: boolean;
  /** The command that shows what waits, without `npm run`. */
  showWaiting: string;
};

export type Receiver<Taken extends Payload = Payload> = ReceiverType & {
  destination: string;
  concurrency: number;
  perSecond: number;
  /** How many may start at once; without it, those of a second. */
  burst?: number;
  isIdempotent: boolean;
  /** It writes files on this machine, which erasure reaches. */
  isLocal?: boolean;
  /** What may have arrived is not sent again, unless the owner says so. */
  isAtMostOnce?: boolean;
  deliver(payload: Taken, attempt: Attempt): Promise<Outcome>;
  /** Why no file may be written now. The outbox claims nothing for the receiver meanwhile. */
  checkDiskSpace?: DiskSpaceCheck;
  find?(payload: Pick<Taken, 'reference' | 'receivedAt'>, signal: AbortSignal): Promise<boolean>;
  close?(): void;
};
