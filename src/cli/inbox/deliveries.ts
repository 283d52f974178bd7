import { listDeliveries, messageReceivers } from '../../domain/messages/read-inbox.ts';
import { listReceiverProblems } from '../../domain/messages/retry-deliveries.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags, TextOptions } from '../command.ts';
import { describeShown, printJson, printNote, printTable } from '../print.ts';

type Values = TextOptions<'to'> & Flags<'failed' | 'waiting' | 'json'> & { limit: number };

export async function deliveries(services: Services, { to, limit, ...values }: Values): Promise<void> {
  const { domainDeps } = services;
  const states = values.failed
    ? (['failed'] as const)
    : values.waiting
      ? (['waiting', 'sending'] as const)
      : undefined;
  const input = { ...(states && { states }), ...(to && { receiver: to }), limit };
  const [{ deliveries: found, total, isTotalExact }, { paused, failing }, lowSpaceReason] = await Promise.all(
    [
      listDeliveries(domainDeps, input),
      listReceiverProblems(domainDeps, messageReceivers),
      findLowSpace(services),
    ],
  );
  if (values.json) {
    const shown = found.map(({ lease: _, payload: __, ...row }) => row);
    const files = lowSpaceReason ? { fileCopiesStopped: lowSpaceReason } : {};
    return printJson({ total, isTotalExact, paused, failing, ...files, deliveries: shown });
  }
  printTable(
    found.map(({ reference, receiver, state, attempts, ...row }) => ({
      ...{ reference, receiver, state, attempts },
      due: state === 'waiting' ? row.due_at : '',
      'possible duplicate': row.is_possible_duplicate ? 'yes' : '',
      'last failure': row.last_failure,
    })),
  );
  for (const { name, paused_at, pause_reason } of paused)
    printNote(
      `Receiver ${name} has been paused since ${paused_at}: ${pause_reason}. ` +
        'Fix its settings, then restart the site or run: npm run inbox -- retry --waiting',
    );
  for (const { name, failing_at, failure_reason, refusals } of failing)
    printNote(
      `Receiver ${name} has been failing since ${failing_at}: ${refusals} refused in a row, the last with: ${failure_reason}. ` +
        'It gets one new delivery a minute until it accepts one.',
    );
  if (lowSpaceReason)
    printNote(`File copies are stopped: ${lowSpaceReason}. They resume when there is enough disk space.`);
  if (total > found.length) printNote(describeShown(found.length, total, isTotalExact));
  if (values.failed && total > 0)
    printNote('To retry them once the receiver works again: npm run inbox -- retry --failed');
  if (total === 0) printNote(values.failed ? 'No failed deliveries' : 'No deliveries found');
}

export async function findLowSpace({ receivers }: Pick<Services, 'receivers'>): Promise<string | undefined> {
  return receivers.find(({ checkDiskSpace }) => checkDiskSpace)?.checkDiskSpace?.();
}
