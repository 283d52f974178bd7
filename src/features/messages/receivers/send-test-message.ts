import type { Clock } from '../../../core/clock.ts';
import { recordTestMessage } from '../../../core/database/recorded-runs.ts';
import type { Ids } from '../../../core/ids.ts';
import type { Receiver } from '../../../core/outbox/delivery.ts';
import { createTestPayload, type TestResult, testReceiver } from './try-receiver.ts';

export type SentTest = { reference: string; sentAt: string; tested: TestResult[] };

type SendDeps = {
  domainDeps: Parameters<typeof recordTestMessage>[0];
  ids: Pick<Ids, 'reference'>;
  clock: Clock;
  receivers: readonly Receiver[];
};

/** To every receiver at once. It is recorded if all of them took it. */
export async function sendTestMessage(
  { domainDeps, ids, clock, receivers }: SendDeps,
  command: string,
): Promise<SentTest> {
  const payload = createTestPayload(ids.reference(), clock.now().toISOString(), command);
  const tested = await Promise.all(receivers.map(receiver => testReceiver(receiver, payload)));
  if (tested.every(({ result }) => result !== 'failed')) await recordTestMessage(domainDeps);
  return { reference: payload.reference, sentAt: payload.receivedAt, tested };
}
