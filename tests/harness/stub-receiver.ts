import type { Outcome, Payload, Receiver, ReceiverType } from '../../src/core/outbox/delivery.ts';
import { receiverTypes } from '../../src/features.ts';

export const delivered: Outcome = { kind: 'delivered' };
export const failed = {
  kind: 'retry',
  failure: { code: 'answered', status: 503 },
  isAmbiguous: false,
} as const satisfies Outcome;
export const misconfigured: Outcome = {
  kind: 'misconfigured',
  failure: { code: 'answered', status: 401 },
};
export const ambiguous: Outcome = { kind: 'retry', failure: { code: 'no-answer' }, isAmbiguous: true };

type Deliver = (payload: Payload, signal: AbortSignal) => Promise<Outcome> | undefined;

/** A receiver with a scripted outcome that records its payloads. */
export function stubReceiver(name: Receiver['name'], answer: Outcome | Deliver = delivered) {
  const payloads: Payload[] = [];
  const attempts: { isPossibleDuplicate: boolean }[] = [];
  let ended = 0;
  return {
    ...(receiverTypes.find(type => type.name === name) as ReceiverType),
    destination: 'a test',
    concurrency: 2,
    perSecond: 1000,
    isIdempotent: false,
    payloads,
    attempts,
    underWay: () => payloads.length - ended,
    async deliver(
      payload: Payload,
      { isPossibleDuplicate, signal }: { isPossibleDuplicate: boolean; signal: AbortSignal },
    ) {
      payloads.push(payload);
      attempts.push({ isPossibleDuplicate });
      try {
        return (await (typeof answer === 'function' ? answer(payload, signal) : answer)) ?? delivered;
      } finally {
        ended += 1;
      }
    },
  } satisfies Receiver & Record<string, unknown>;
}

/** Hangs until it is aborted. */
export function hang(_: Payload, signal: AbortSignal): Promise<Outcome> {
  return new Promise(done => signal.addEventListener('abort', () => done(ambiguous)));
}
