import { errorMessage } from '../../lib/error-message.ts';
import { errorFields } from '../log.ts';
import type { Delivery } from './deliveries.ts';
import { type Outcome, type Receiver, retryLater } from './delivery.ts';
import { AttemptError, type Failure } from './failures.ts';
import type { WorkerDeps } from './worker-deps.ts';

const closeTimeoutMs = 1000;

/** `erased` and `cancelled` are not tried again; `interrupted` ended with its process and may have arrived. */
export type AttemptOutcome =
  | Outcome
  | { kind: 'erased' | 'cancelled' | 'interrupted'; failure: Failure; isAmbiguous: boolean };

export type AttemptResult = { outcome: AttemptOutcome; isAmbiguous: boolean; isPossibleDuplicate: boolean };

type AttemptLimits = { signal: AbortSignal; deadline: number };

const erased: AttemptOutcome = { kind: 'erased', failure: { code: 'erased' }, isAmbiguous: false };
const cancelled: AttemptOutcome = {
  kind: 'cancelled',
  failure: { code: 'not-wanted' },
  isAmbiguous: false,
};
const interrupted: AttemptOutcome = {
  kind: 'interrupted',
  failure: { code: 'interrupted' },
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
  let isPossibleDuplicate = delivery.is_possible_duplicate === 1;
  try {
    if (isAmbiguous && mustNotResend(receiver))
      return { outcome: interrupted, isAmbiguous, isPossibleDuplicate };
    const kind = deps.kinds[delivery.kind];
    if (!kind) throw new Error(`no feature delivers ${delivery.kind}`);
    const payload = await kind.createPayload(delivery);
    if (typeof payload === 'string') {
      return {
        outcome: payload === 'erased' ? erased : cancelled,
        isAmbiguous,
        isPossibleDuplicate,
      };
    }
    if (isAmbiguous && !receiver.isIdempotent) {
      if (!receiver.find) isPossibleDuplicate = true;
      else if (await raceWithAbort(receiver.find(payload, signal), signal)) {
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
    return { outcome: { ...createRetryResult(error), isAmbiguous }, isAmbiguous, isPossibleDuplicate };
  }
}

function createRetryResult(error: unknown) {
  const failure: Failure =
    error instanceof AttemptError ? error.failure : { code: 'other', text: errorMessage(error) };
  return retryLater({ code: 'not-attempted', failure }, false);
}

/** After a suspend, an answer may come before timers fire, and another process may hold the lease. */
function assertWithinDeadline({ signal, deadline }: AttemptLimits): void {
  signal.throwIfAborted();
  if (performance.now() > deadline) throw new AttemptError({ code: 'deadline-passed' });
}

export function mustNotResend({ isAtMostOnce, isIdempotent }: Receiver): boolean {
  return isAtMostOnce === true && !isIdempotent;
}

async function deliver(
  { log }: Pick<WorkerDeps, 'log'>,
  receiver: Receiver,
  signal: AbortSignal,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await raceWithAbort(work(), signal);
  } catch (error) {
    log.error('receiver failed unexpectedly', { receiver: receiver.name, ...errorFields(error) });
    return retryLater({ code: 'unexpected' }, true);
  }
}

/** Work that ignores its abort must not occupy its slot for ever. */
async function raceWithAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(new AttemptError({ code: 'not-stopped' })), closeTimeoutMs);
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
