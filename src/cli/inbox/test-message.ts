import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '../../lib/clock.ts';
import type { Wired } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { printError, printJson, printNote } from '../print.ts';
import { errorMessage } from '../print-error.ts';
import { printTable } from '../table.ts';
import { findLowSpace } from './deliveries.ts';

type Receiver = Wired['receivers'][number];
type Payload = Parameters<Receiver['deliver']>[0];

/** `accepted`: the receiver said so, and offers no way to look. */
type TestResult = {
  receiver: string;
  place: string;
  result: 'read back' | 'accepted' | 'failed';
  why: string;
  ms: number;
};

const timeoutMs = 40_000;
const graceMs = 1000;
/** A service may show a row only a moment later. */
const maxReadBacks = 4;
const readBackIntervalMs = 1500;

/** Bypasses the outbox and stores no message. */
export async function testMessage(wired: Wired, values: Flags<'json'>): Promise<void> {
  const { store, ids, clock, receivers } = wired;
  const payload = createTestPayload(ids.reference(), clock.now().toISOString());
  const paused = (await store.receivers.listPaused()).filter(({ name }) =>
    receivers.some(receiver => receiver.name === name),
  );
  for (const { name, paused_at, paused_why } of paused)
    printNote(`The ${name} has been paused since ${paused_at} (${paused_why}); it is tried all the same.`);
  const stopped = await findLowSpace(wired);
  if (stopped) printNote(`File copies stopped (${stopped}); they are tried all the same.`);

  const trials = await Promise.all(receivers.map(receiver => testReceiver(receiver, payload)));
  const failed = trials.filter(({ result }) => result === 'failed');
  if (failed.length === 0) await store.schedule.noteDone('test-message', clock.now().toISOString());

  if (values.json) {
    const { reference, receivedAt } = payload;
    printJson({ reference, sentAt: receivedAt, paused: paused.map(({ name }) => name), receivers: trials });
  } else {
    printTable(
      trials.map(({ receiver, place, result, ms }) => ({
        ...{ receiver, place, result: results[result] },
        time: `${(ms / 1000).toFixed(1)} s`,
      })),
    );
  }
  for (const { receiver, why } of failed) printError(`The ${receiver} failed: ${why}.`);
  if (failed.length > 0) return;
  printNote(`Test message ${payload.reference} was accepted by every receiver.`);
  if (paused.length > 0)
    printNote('What waits for a paused one goes out with: npm run inbox -- retry --waiting');
}

/** It has no address, so that no reply is sent to it by mistake. */
function createTestPayload(reference: string, receivedAt: string): Payload {
  return {
    kind: 'message',
    reference,
    receivedAt,
    name: 'Test message',
    email: '',
    service: 'Test',
    message: [
      'This is a test of the website, sent by its owner with: npm run inbox -- test-message',
      'It shows that messages arrive here. No visitor wrote it, and it needs no answer.',
    ].join('\n'),
  };
}

async function testReceiver(receiver: Receiver, payload: Payload): Promise<TestResult> {
  const started = performance.now();
  const delivery = deliverTest(receiver, payload, AbortSignal.timeout(timeoutMs));
  const trial = await withTimeout(timeoutMs + graceMs, delivery).catch(error => ({
    result: 'failed' as const,
    why: errorMessage(error),
  }));
  const ms = Math.round(performance.now() - started);
  return { receiver: receiver.name, place: receiver.destination, ...trial, ms };
}

async function deliverTest(
  receiver: Receiver,
  payload: Payload,
  signal: AbortSignal,
): Promise<Pick<TestResult, 'result' | 'why'>> {
  const outcome = await receiver.deliver(payload, { isPossibleDuplicate: false, signal });
  if (outcome.kind !== 'delivered') {
    const doubt = 'isAmbiguous' in outcome && outcome.isAmbiguous ? '; it may have arrived all the same' : '';
    return { result: 'failed', why: `${outcome.why}${doubt}` };
  }
  if (!receiver.find) return { result: 'accepted', why: '' };
  for (let attempt = 0; attempt < maxReadBacks; attempt++) {
    if (attempt > 0) await sleep(readBackIntervalMs, undefined, { signal });
    try {
      if (await receiver.find(payload, signal)) return { result: 'read back', why: '' };
    } catch (error) {
      return {
        result: 'failed',
        why: `accepted, but it could not be read back: ${(error as Error).message}`,
      };
    }
  }
  return { result: 'failed', why: 'accepted, but it was not there when it was read back' };
}

const results: Record<TestResult['result'], string> = {
  'read back': 'arrived: read back',
  accepted: 'accepted, not verified',
  failed: 'failed',
};
