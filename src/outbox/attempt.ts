import type { Outcome, Parcel, Receiver } from '../deliveries/delivery.ts';
import { errorFields } from '../lib/log.ts';
import type { Delivery } from '../store/outbox.ts';
import { erasedWhy, readNotice } from './chores.ts';
import type { WorkerDeps } from './worker.ts';

/** What a receiver has after the cut to say how it ended; one that says nothing is left behind. */
const lastWordMs = 1000;

/** How an attempt ended, and what is unclear about it or about those before it. */
export type Tried = { outcome: Outcome; isAmbiguous: boolean; isPossiblyTwice: boolean };

export const erased: Outcome = { kind: 'failed', why: erasedWhy, isAmbiguous: false };

/** One attempt. After an ambiguous one the receiver is asked first, where it can be; where not, this one may be its double. */
export async function attemptDelivery(
  deps: WorkerDeps,
  receiver: Receiver,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Tried> {
  let isAmbiguous = delivery.is_ambiguous === 1;
  let isPossiblyTwice = delivery.is_possibly_twice === 1;
  try {
    const parcel = await readParcel(deps, delivery);
    if (!parcel) return { outcome: erased, isAmbiguous, isPossiblyTwice };
    if (isAmbiguous && !receiver.isUpserting) {
      if (!receiver.find) isPossiblyTwice = true;
      else if (await untilCut(receiver.find(parcel, signal), signal)) {
        return { outcome: { kind: 'delivered' }, isAmbiguous: false, isPossiblyTwice };
      } else isAmbiguous = false;
    }
    signal.throwIfAborted();
    const outcome = await deliver(deps, receiver, parcel, { isPossiblyTwice, signal });
    isAmbiguous ||= outcome.kind !== 'delivered' && outcome.isAmbiguous === true;
    return { outcome, isAmbiguous, isPossiblyTwice };
  } catch (error) {
    const why = `could not be asked: ${error instanceof Error ? error.message : String(error)}`;
    return { outcome: { kind: 'failed', why, isAmbiguous }, isAmbiguous, isPossiblyTwice };
  }
}

async function deliver(
  { log }: WorkerDeps,
  receiver: Receiver,
  parcel: Parcel,
  attempt: { isPossiblyTwice: boolean; signal: AbortSignal },
): Promise<Outcome> {
  try {
    return await untilCut(receiver.deliver(parcel, attempt), attempt.signal);
  } catch (error) {
    log.error('receiver failed unexpectedly', { receiver: receiver.name, ...errorFields(error) });
    return { kind: 'failed', why: 'failed unexpectedly; see the log', isAmbiguous: true };
  }
}

/** Work that does not end by itself soon after it was cut off is given up: it must not hold its place for ever. */
async function untilCut<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: cut, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(new Error('it did not end when it was cut off')), lastWordMs);
  };
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, cut]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}

async function readParcel(deps: WorkerDeps, delivery: Delivery): Promise<Parcel | undefined> {
  const { reference } = delivery;
  if (delivery.kind === 'notice') {
    const words = await readNotice(deps, delivery.payload ?? '{}');
    return { kind: 'notice', reference, receivedAt: delivery.created_at, ...words };
  }
  const row = await deps.messages.get(reference);
  if (!row) return undefined;
  const { name, email, message, service } = row;
  return { kind: 'message', reference, receivedAt: row.received_at, name, email, message, service };
}
