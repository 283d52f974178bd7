import {
  type GroupedMessage,
  type GroupReceiver,
  type MessageGroup,
  type MessagePayload,
  type Outcome,
  type Receiver,
  retryLater,
} from '../deliveries/delivery.ts';
import {
  type MessageFieldName,
  mapMessageFields,
  messageFieldNames,
} from '../features/messages/message-fields.ts';
import { errorFields } from '../lib/log.ts';
import type { Delivery } from '../store/deliveries.ts';
import { erasedReason } from './owner-notices.ts';
import { buildPayload } from './payload.ts';
import type { WorkerDeps } from './worker-deps.ts';

const closeTimeoutMs = 1000;

export const groupLimit = 1000;
export const groupEveryMs = 10 * 60 * 1000;

const [maxTexts, minText, maxField] = [200_000, 200, 254];

/** `erased` and `cancelled` are not tried again; `interrupted` ended with its process and may have arrived. */
export type AttemptOutcome =
  | Outcome
  | { kind: 'erased' | 'cancelled' | 'interrupted'; reason: string; isAmbiguous: boolean };

export type AttemptResult = { outcome: AttemptOutcome; isAmbiguous: boolean; isPossibleDuplicate: boolean };

type AttemptLimits = { signal: AbortSignal; deadline: number };

const erased: AttemptOutcome = { kind: 'erased', reason: erasedReason, isAmbiguous: false };
const cancelled: AttemptOutcome = { kind: 'cancelled', reason: 'no longer wanted', isAmbiguous: false };
const interrupted: AttemptOutcome = {
  kind: 'interrupted',
  reason: 'interrupted while it was sent',
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
    const payload = await buildPayload(deps, delivery);
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

export async function attemptGroup(
  deps: WorkerDeps,
  receiver: GroupReceiver,
  deliveries: readonly Delivery[],
  limits: AttemptLimits,
): Promise<Map<Delivery, AttemptResult>> {
  const results = new Map<Delivery, AttemptResult>();
  const members = new Map<Delivery, GroupedMessage>();
  const maxText = Math.max(minText, Math.floor(maxTexts / deliveries.length));
  const setResult = (delivery: Delivery, outcome: AttemptOutcome) =>
    results.set(delivery, {
      outcome,
      isAmbiguous: delivery.is_ambiguous === 1 || ('isAmbiguous' in outcome && outcome.isAmbiguous === true),
      isPossibleDuplicate: members.get(delivery)?.isPossibleDuplicate ?? delivery.is_possible_duplicate === 1,
    });
  try {
    for (const delivery of deliveries) {
      const payload = await buildPayload(deps, delivery);
      if (payload === 'erased') setResult(delivery, erased);
      else if (payload === 'cancelled') setResult(delivery, cancelled);
      else if (payload.kind === 'message') {
        const isPossibleDuplicate = delivery.is_possible_duplicate === 1 || delivery.is_ambiguous === 1;
        members.set(delivery, { ...truncateMessage(payload, maxText), isPossibleDuplicate });
      }
    }
    const outcome = members.size > 0 && (await deliverGroup(deps, receiver, members, limits));
    if (outcome) for (const delivery of members.keys()) setResult(delivery, outcome);
  } catch (error) {
    const outcome = createRetryResult(error);
    for (const delivery of deliveries) if (!results.has(delivery)) setResult(delivery, outcome);
  }
  return results;
}

async function deliverGroup(
  deps: WorkerDeps,
  receiver: GroupReceiver,
  members: ReadonlyMap<Delivery, GroupedMessage>,
  limits: AttemptLimits,
): Promise<Outcome> {
  const now = deps.clock.now().toISOString();
  const group: MessageGroup = {
    reference: deps.ids.reference(),
    at: now,
    messages: [...members.values()],
    waiting: await deps.outbox.count({
      receiver: receiver.name,
      kinds: ['message'],
      states: ['waiting'],
      dueUpTo: now,
    }),
    hasTexts: true,
  };
  const outcome = await deliverOnce(group);
  // A mail server may reject one message's text: the others must not fail with it.
  const hasFailedBefore = [...members.keys()].some(({ attempts }) => attempts > 0);
  const hasNotArrived = outcome.kind === 'permanent' || (outcome.kind === 'retry' && !outcome.isAmbiguous);
  const last = hasNotArrived && hasFailedBefore ? await deliverOnce({ ...group, hasTexts: false }) : outcome;
  return last.kind === 'permanent' ? { kind: 'retry', reason: last.reason, isAmbiguous: false } : last;

  function deliverOnce(payload: MessageGroup): Promise<Outcome> {
    assertWithinDeadline(limits);
    return deliver(deps, receiver, limits.signal, () => receiver.deliverGroup(payload, limits.signal));
  }
}

/** Each message of a group is truncated as it is read, so that a thousand long messages are never in memory together. */
function truncateMessage(payload: MessagePayload, maxText: number) {
  const limitOf = (name: MessageFieldName) => (name === 'message' ? maxText : maxField);
  const isTruncated = messageFieldNames.some(name => payload[name].length > limitOf(name));
  return { ...payload, ...mapMessageFields(name => truncate(payload[name], limitOf(name))), isTruncated };
}

/** A copy: a slice of a string would keep the whole one in memory. */
function truncate(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length)).toString();
}

function createRetryResult(error: unknown) {
  const reason = `attempt not made: ${error instanceof Error ? error.message : String(error)}`;
  return retryLater(reason, false);
}

/** After a suspend, an answer may come before timers fire, and another process may hold the lease. */
function assertWithinDeadline({ signal, deadline }: AttemptLimits): void {
  signal.throwIfAborted();
  if (performance.now() > deadline) throw new Error('its deadline passed before it was sent');
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
    return retryLater('failed unexpectedly; see the log', true);
  }
}

/** Work that ignores its abort must not occupy its slot for ever. */
async function raceWithAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
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
