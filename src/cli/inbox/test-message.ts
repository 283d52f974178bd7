import { setTimeout as sleep } from 'node:timers/promises';
import { recordTestMessage } from '../../domain/backup/record-runs.ts';
import { listReceiverProblems } from '../../domain/messages/retry-deliveries.ts';
import { withTimeout } from '../../lib/clock.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { errorMessage, printError, printJson, printNote } from '../print.ts';
import { printTable } from '../table.ts';
import { findLowSpace } from './deliveries.ts';

type Receiver = Services['receivers'][number];
type Payload = Parameters<Receiver['deliver']>[0];

type TestResult = {
  receiver: string;
  destination: string;
  result: 'read back' | 'accepted' | 'failed';
  reason: string;
  ms: number;
};

const timeoutMs = 40_000;
const graceMs = 1000;
const maxReadBacks = 4;
const readBackIntervalMs = 1500;

export async function testMessage(services: Services, values: Flags<'json'>): Promise<void> {
  const { domainDeps, ids, clock, receivers } = services;
  const payload = createTestPayload(ids.reference(), clock.now().toISOString());
  const { paused } = await listReceiverProblems(domainDeps, domainDeps.receivers);
  for (const { name, paused_at, pause_reason } of paused)
    printNote(`Receiver ${name} has been paused since ${paused_at} (${pause_reason}); testing it anyway`);
  const checkDiskSpace = await findLowSpace(services);
  if (checkDiskSpace) printNote(`File copies are stopped (${checkDiskSpace}); testing them anyway`);

  const tested = await Promise.all(receivers.map(receiver => testReceiver(receiver, payload)));
  const failed = tested.filter(({ result }) => result === 'failed');
  if (failed.length === 0) await recordTestMessage(domainDeps);

  if (values.json) {
    const { reference, receivedAt } = payload;
    printJson({ reference, sentAt: receivedAt, paused: paused.map(({ name }) => name), receivers: tested });
  } else {
    printTable(
      tested.map(({ receiver, destination, result, ms }) => ({
        ...{ receiver, destination, result: results[result] },
        time: `${(ms / 1000).toFixed(1)} s`,
      })),
    );
  }
  for (const { receiver, reason } of failed) printError(`receiver ${receiver} failed: ${reason}`);
  if (failed.length > 0) return;
  printNote(`Test message ${payload.reference} accepted by every receiver`);
  if (paused.length > 0)
    printNote('To send the waiting deliveries of paused receivers: npm run inbox -- retry --waiting');
}

/** Without an address, so that no reply is sent to it by mistake. */
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
): Promise<Pick<TestResult, 'result' | 'reason'>> {
  const outcome = await receiver.deliver(payload, { isPossibleDuplicate: false, signal });
  if (outcome.kind !== 'delivered') {
    const hint = 'isAmbiguous' in outcome && outcome.isAmbiguous ? '; it may have arrived anyway' : '';
    return { result: 'failed', reason: `${outcome.reason}${hint}` };
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

const results: Record<TestResult['result'], string> = {
  'read back': 'received (read back)',
  accepted: 'accepted (not verified)',
  failed: 'failed',
};
