import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '../../lib/clock.ts';
import type { Wired } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { fail, note, print } from '../print.ts';
import { reason } from '../print-error.ts';
import { printTable } from '../table.ts';
import { whyStopped } from './deliveries.ts';

type Receiver = Wired['receivers'][number];
type Payload = Parameters<Receiver['deliver']>[0];

/** `accepted`: the receiver said so, and offers no way to look. */
type Trial = {
  receiver: string;
  place: string;
  result: 'read back' | 'accepted' | 'failed';
  why: string;
  ms: number;
};

const patienceMs = 40_000;
const lastWordMs = 1000;
/** A service may show a row only a moment later. */
const looks = 4;
const betweenLooksMs = 1500;

/** Bypasses the outbox and stores no message. */
export async function testMessage(wired: Wired, values: Flags<'json'>): Promise<void> {
  const { store, ids, clock, receivers } = wired;
  const payload = createTestPayload(ids.reference(), clock.now().toISOString());
  const paused = (await store.receivers.listPaused()).filter(({ name }) =>
    receivers.some(receiver => receiver.name === name),
  );
  for (const { name, paused_at, paused_why } of paused)
    note(`The ${name} has been paused since ${paused_at} (${paused_why}); it is tried all the same.`);
  const stopped = await whyStopped(wired);
  if (stopped) note(`File copies stopped (${stopped}); they are tried all the same.`);

  const trials = await Promise.all(receivers.map(receiver => tryOut(receiver, payload)));
  const failed = trials.filter(({ result }) => result === 'failed');
  if (failed.length === 0) await store.schedule.noteDone('test-message', clock.now().toISOString());

  if (values.json) {
    const { reference, receivedAt } = payload;
    print({ reference, sentAt: receivedAt, paused: paused.map(({ name }) => name), receivers: trials });
  } else {
    printTable(
      trials.map(({ receiver, place, result, ms }) => ({
        ...{ receiver, place, result: results[result] },
        time: `${(ms / 1000).toFixed(1)} s`,
      })),
    );
  }
  for (const { receiver, why } of failed) fail(`The ${receiver} failed: ${why}.`);
  if (failed.length > 0) return;
  note(`Test message ${payload.reference} was accepted by every receiver.`);
  if (paused.length > 0) note('What waits for a paused one goes out with: npm run inbox -- retry --waiting');
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

async function tryOut(receiver: Receiver, payload: Payload): Promise<Trial> {
  const started = performance.now();
  const delivery = handOver(receiver, payload, AbortSignal.timeout(patienceMs));
  const trial = await withTimeout(patienceMs + lastWordMs, delivery).catch(error => ({
    result: 'failed' as const,
    why: reason(error),
  }));
  const ms = Math.round(performance.now() - started);
  return { receiver: receiver.name, place: receiver.place, ...trial, ms };
}

async function handOver(
  receiver: Receiver,
  payload: Payload,
  signal: AbortSignal,
): Promise<Pick<Trial, 'result' | 'why'>> {
  const outcome = await receiver.deliver(payload, { isPossibleDuplicate: false, signal });
  if (outcome.kind !== 'delivered') {
    const doubt = 'isAmbiguous' in outcome && outcome.isAmbiguous ? '; it may have arrived all the same' : '';
    return { result: 'failed', why: `${outcome.why}${doubt}` };
  }
  if (!receiver.find) return { result: 'accepted', why: '' };
  for (let look = 0; look < looks; look++) {
    if (look > 0) await sleep(betweenLooksMs, undefined, { signal });
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

const results: Record<Trial['result'], string> = {
  'read back': 'arrived: read back',
  accepted: 'accepted, not verified',
  failed: 'failed',
};
