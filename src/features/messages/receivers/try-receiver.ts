import { setTimeout as sleep } from 'node:timers/promises';
import type { Receiver } from '../../../core/outbox/delivery.ts';
import { describeFailure, type FailureCode } from '../../../core/outbox/failures.ts';
import { errorMessage } from '../../../lib/error-message.ts';
import { withTimeout } from '../../../lib/with-timeout.ts';
import { type MessageFields, mapMessageFields } from '../message-fields.ts';

type Payload = Parameters<Receiver['deliver']>[0];

export type TestResult = {
  receiver: string;
  destination: string;
  result: 'read back' | 'accepted' | 'failed';
  reason: string;
  code?: FailureCode;
  ms: number;
};

const timeoutMs = 40_000;
const graceMs = 1000;
const maxReadBacks = 4;
const readBackIntervalMs = 1500;

/** Without an address, so that no reply is sent to it by mistake. */
export function createTestPayload(reference: string, receivedAt: string, command: string): Payload {
  const texts: Partial<MessageFields> = {
    name: 'Test message',
    service: 'Test',
    message: [
      `This is a test of the website, sent by its owner with: ${command}`,
      'It shows that messages arrive here. No visitor wrote it, and it needs no answer.',
    ].join('\n'),
  };
  return {
    kind: 'message',
    reference,
    receivedAt,
    ...mapMessageFields(name => texts[name] ?? ''),
  };
}

export async function testReceiver(receiver: Receiver, payload: Payload): Promise<TestResult> {
  const started = performance.now();
  const delivery = deliverTest(receiver, payload, AbortSignal.timeout(timeoutMs));
  const outcome = await withTimeout(timeoutMs + graceMs, delivery).catch(error => ({
    result: 'failed' as const,
    reason: errorMessage(error),
  }));
  const ms = Math.round(performance.now() - started);
  return { receiver: receiver.name, destination: receiver.destination, ...outcome, ms };
}

async function deliverTest(
  receiver: Receiver,
  payload: Payload,
  signal: AbortSignal,
): Promise<Pick<TestResult, 'result' | 'reason' | 'code'>> {
  const outcome = await receiver.deliver(payload, { isPossibleDuplicate: false, signal });
  if (outcome.kind !== 'delivered') {
    const hint = 'isAmbiguous' in outcome && outcome.isAmbiguous ? '; it may have arrived anyway' : '';
    const { failure } = outcome;
    return { result: 'failed', reason: describeFailure(failure) + hint, code: failure.code };
  }
  if (!receiver.find) return { result: 'accepted', reason: '' };
  for (let attempt = 0; attempt < maxReadBacks; attempt++) {
    if (attempt > 0) await sleep(readBackIntervalMs, undefined, { signal });
    try {
      if (await receiver.find(payload, signal)) return { result: 'read back', reason: '' };
    } catch (error) {
      return {
        result: 'failed',
        reason: `accepted, but it could not be read back: ${(error as Error).message}`,
      };
    }
  }
  return { result: 'failed', reason: 'accepted, but not found when it was read back' };
}
