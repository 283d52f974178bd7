import { listReceiverProblems } from '../../domain/messages/retry-deliveries.ts';
import { sendTestMessage } from '../../server/send-test-message.ts';
import type { TestResult } from '../../server/try-receiver.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { printError, printJson, printNote, printTable } from '../print.ts';
import { findLowSpace } from './deliveries.ts';

export async function testMessage(services: Services, values: Flags<'json'>): Promise<void> {
  const { domainDeps } = services;
  const { paused } = await listReceiverProblems(domainDeps, domainDeps.receivers);
  for (const { name, paused_at, pause_reason } of paused)
    printNote(`Receiver ${name} has been paused since ${paused_at} (${pause_reason}); testing it anyway`);
  const lowSpaceReason = await findLowSpace(services);
  if (lowSpaceReason) printNote(`File copies are stopped (${lowSpaceReason}); testing them anyway`);

  const { reference, sentAt, tested } = await sendTestMessage(services, 'npm run inbox -- test-message');
  const failed = tested.filter(({ result }) => result === 'failed');

  if (values.json) {
    printJson({ reference, sentAt, paused: paused.map(({ name }) => name), receivers: tested });
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
  printNote(`Test message ${reference} accepted by every receiver`);
  if (paused.length > 0)
    printNote('To send the waiting deliveries of paused receivers: npm run inbox -- retry --waiting');
}

const results: Record<TestResult['result'], string> = {
  'read back': 'received (read back)',
  accepted: 'accepted (not verified)',
  failed: 'failed',
};
