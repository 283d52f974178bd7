import type { Outcome, Receiver } from '../deliveries/delivery.ts';
import { errorFields } from '../lib/log.ts';
import type { Delivery } from '../store/deliveries.ts';
import { erasedReason } from './maintenance-jobs.ts';
import { buildPayload } from './payload.ts';
import type { WorkerDeps } from './worker-deps.ts';

const closeTimeoutMs = 1000;

export type AttemptResult = { outcome: Outcome; isAmbiguous: boolean; isPossibleDuplicate: boolean };

export type AttemptLimits = { signal: AbortSignal; deadline: number };

export const messageErased: Outcome = { kind: 'retry', why: erasedReason, isAmbiguous: false };
export const noLongerWanted: Outcome = { kind: 'retry', why: 'no longer wanted', isAmbiguous: false };
export const interrupted: Outcome = {
  kind: 'retry',
  why: 'interrupted while it was sent',
  isAmbiguous: true,
};

/** After an ambiguous attempt the receiver is asked first; where it cannot be asked, this may be a duplicate. */
export async function attemptDelivery(
  deps: WorkerDeps,
  receiver: Receiver,
  delivery: Delivery,
  { signal, deadline }: AttemptLimits,
): Promise<AttemptResult> {
  let isAmbiguous = delivery.is_ambiguous === 1;
  let isPossibleDuplicate = delivery.is_possibly_twice === 1;
  try {
    if (isAmbiguous && mustNotResend(receiver))
      return { outcome: interrupted, isAmbiguous, isPossibleDuplicate };
    const payload = await buildPayload(deps, delivery);
    if (typeof payload === 'string') {
      return {
        outcome: payload === 'erased' ? messageErased : noLongerWanted,
        isAmbiguous,
        isPossibleDuplicate,
      };
    }
    if (isAmbiguous && !receiver.isIdempotent) {
      if (!receiver.find) isPossibleDuplicate = true;
      else if (await orAborted(receiver.find(payload, signal), signal)) {
        return { outcome: { kind: 'delivered' }, isAmbiguous: false, isPossibleDuplicate };
      } else isAmbiguous = false;
    }
    assertWithinDeadline({ signal, deadline });
    const outcome = await deliver(deps, receiver, signal, () =>
      receiver.deliver(payload, { isPossibleDuplicate, signal }),
    );
    isAmbiguous ||= 'isAmbiguous' in outcome && outcome.isAmbiguous === true;
    return { outcome, isAmbiguous, isPossibleDuplicate };
  } catch (error) {
    return { outcome: { ...attemptNotMade(error), isAmbiguous }, isAmbiguous, isPossibleDuplicate };
  }
}

export function attemptNotMade(error: unknown) {
  const why = `attempt not made: ${error instanceof Error ? error.message : String(error)}`;
  return { kind: 'retry', why, isAmbiguous: false } as const;
}

/** After a suspend, an answer may come before timers fire, and another process may hold the lease. */
export function assertWithinDeadline({ signal, deadline }: AttemptLimits): void {
  signal.throwIfAborted();
  if (performance.now() > deadline) throw new Error('its deadline passed before it was sent');
}

export function mustNotResend({ isAtMostOnce, isIdempotent }: Receiver): boolean {
  return isAtMostOnce === true && !isIdempotent;
}

export async function deliver(
  { log }: Pick<WorkerDeps, 'log'>,
  receiver: Receiver,
  signal: AbortSignal,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await orAborted(work(), signal);
  } catch (error) {
    log.error('receiver failed unexpectedly', { receiver: receiver.name, ...errorFields(error) });
    return { kind: 'retry', why: 'failed unexpectedly; see the log', isAmbiguous: true };
  }
}

/** Work that ignores its abort must not occupy its slot for ever. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(new Error('it did not stop after it was aborted')), closeTimeoutMs);
  };
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}
