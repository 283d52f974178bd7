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
  erased,
  unwanted,
} from './attempt-delivery.ts';
import { buildPayload } from './payload.ts';
import type { WorkerDeps } from './worker-deps.ts';

/** As many as can be settled within a lease. */
export const groupLimit = 1000;
export const groupEveryMs = 10 * 60 * 1000;

const [maxTexts, minText, maxField] = [200_000, 200, 254];

export async function attemptGroup(
  deps: WorkerDeps,
  receiver: GroupReceiver,
  deliveries: readonly Delivery[],
  time: AttemptLimits,
): Promise<Map<Delivery, AttemptResult>> {
  const tried = new Map<Delivery, AttemptResult>();
  const members = new Map<Delivery, GroupedMessage>();
  const room = Math.max(minText, Math.floor(maxTexts / deliveries.length));
  const end = (delivery: Delivery, outcome: Outcome) =>
    tried.set(delivery, {
      outcome,
      isAmbiguous: delivery.is_ambiguous === 1 || ('isAmbiguous' in outcome && outcome.isAmbiguous === true),
      isPossibleDuplicate: members.get(delivery)?.isPossibleDuplicate ?? delivery.is_possibly_twice === 1,
    });
  try {
    for (const delivery of deliveries) {
      const payload = await buildPayload(deps, delivery);
      if (payload === 'erased') end(delivery, erased);
      else if (payload === 'unwanted') end(delivery, unwanted);
      else if (payload.kind === 'message') {
        const isPossibleDuplicate = delivery.is_possibly_twice === 1 || delivery.is_ambiguous === 1;
        members.set(delivery, { ...shorten(payload, room), isPossibleDuplicate: isPossibleDuplicate });
      }
    }
    const outcome = members.size > 0 && (await deliverGroup(deps, receiver, members, time));
    if (outcome) for (const delivery of members.keys()) end(delivery, outcome);
  } catch (error) {
    const outcome = attemptNotMade(error);
    for (const delivery of deliveries) if (!tried.has(delivery)) end(delivery, outcome);
  }
  return tried;
}

async function deliverGroup(
  deps: WorkerDeps,
  receiver: GroupReceiver,
  members: ReadonlyMap<Delivery, GroupedMessage>,
  time: AttemptLimits,
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
  const outcome = await give(group);
  // A mail server may reject one message's text: the others must not be given up with it.
  const hasFailedBefore = [...members.keys()].some(({ attempts }) => attempts > 0);
  const isTurnedDown = outcome.kind === 'rejected' || (outcome.kind === 'failed' && !outcome.isAmbiguous);
  const last = isTurnedDown && hasFailedBefore ? await give({ ...group, hasTexts: false }) : outcome;
  return last.kind === 'rejected' ? { kind: 'failed', why: last.why, isAmbiguous: false } : last;

  function give(payload: MessageGroup): Promise<Outcome> {
    assertWithinDeadline(time);
    return deliver(deps, receiver, time.signal, () => receiver.deliverGroup(payload, time.signal));
  }
}

/** At once, so that a thousand long messages are never in memory together. */
function shorten(payload: MessagePayload, room: number): MessagePayload & { isShortened: boolean } {
  const { name, email, service, message } = payload;
  const isShortened = [name, email, service].some(field => field.length > maxField) || message.length > room;
  const fields = { name: cut(name, maxField), email: cut(email, maxField), service: cut(service, maxField) };
  return { ...payload, ...fields, message: cut(message, room), isShortened };
}

/** A copy: a slice of a string would keep the whole one in memory. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length)).toString();
}
