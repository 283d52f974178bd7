import type {
  GroupedMessage,
  GroupReceiver,
  MessageGroup,
  MessagePayload,
  Outcome,
} from '../deliveries/delivery.ts';
import type { Delivery } from '../store/deliveries.ts';
import {
  type AttemptLimits,
  type AttemptResult,
  assertWithinDeadline,
  attemptNotMade,
  deliver,
  messageErased,
  noLongerWanted,
} from './attempt-delivery.ts';
import { buildPayload } from './payload.ts';
import type { WorkerDeps } from './worker-deps.ts';

export const groupLimit = 1000;
export const groupEveryMs = 10 * 60 * 1000;

const [maxTexts, minText, maxField] = [200_000, 200, 254];

export async function attemptGroup(
  deps: WorkerDeps,
  receiver: GroupReceiver,
  deliveries: readonly Delivery[],
  limits: AttemptLimits,
): Promise<Map<Delivery, AttemptResult>> {
  const results = new Map<Delivery, AttemptResult>();
  const members = new Map<Delivery, GroupedMessage>();
  const maxText = Math.max(minText, Math.floor(maxTexts / deliveries.length));
  const setResult = (delivery: Delivery, outcome: Outcome) =>
    results.set(delivery, {
      outcome,
      isAmbiguous: delivery.is_ambiguous === 1 || ('isAmbiguous' in outcome && outcome.isAmbiguous === true),
      isPossibleDuplicate: members.get(delivery)?.isPossibleDuplicate ?? delivery.is_possibly_twice === 1,
    });
  try {
    for (const delivery of deliveries) {
      const payload = await buildPayload(deps, delivery);
      if (payload === 'erased') setResult(delivery, messageErased);
      else if (payload === 'unwanted') setResult(delivery, noLongerWanted);
      else if (payload.kind === 'message') {
        const isPossibleDuplicate = delivery.is_possibly_twice === 1 || delivery.is_ambiguous === 1;
        members.set(delivery, { ...truncateMessage(payload, maxText), isPossibleDuplicate });
      }
    }
    const outcome = members.size > 0 && (await deliverGroup(deps, receiver, members, limits));
    if (outcome) for (const delivery of members.keys()) setResult(delivery, outcome);
  } catch (error) {
    const outcome = attemptNotMade(error);
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
  return last.kind === 'permanent' ? { kind: 'retry', why: last.why, isAmbiguous: false } : last;

  function deliverOnce(payload: MessageGroup): Promise<Outcome> {
    assertWithinDeadline(limits);
    return deliver(deps, receiver, limits.signal, () => receiver.deliverGroup(payload, limits.signal));
  }
}

/** Each is truncated at once, so that a thousand long messages are never in memory together. */
function truncateMessage(
  payload: MessagePayload,
  maxText: number,
): MessagePayload & { isShortened: boolean } {
  const { name, email, service, message } = payload;
  const isShortened =
    [name, email, service].some(field => field.length > maxField) || message.length > maxText;
  const fields = {
    name: truncate(name, maxField),
    email: truncate(email, maxField),
    service: truncate(service, maxField),
  };
  return { ...payload, ...fields, message: truncate(message, maxText), isShortened };
}

/** A copy: a slice of a string would keep the whole one in memory. */
function truncate(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length)).toString();
}
