import { retryDeliveries } from '../../domain/messages/retry-deliveries.ts';
import type { Services } from '../../server/wire.ts';
import { type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';

type Values = TextOptions<'to'> & Flags<'failed' | 'waiting' | 'json'>;

export async function retry(
  { domainDeps }: Services,
  reference: string | undefined,
  { to: receiver, ...values }: Values,
): Promise<void> {
  const selections = [Boolean(reference), values.failed, values.waiting].filter(Boolean).length;
  if (selections !== 1) throwUsageError('retry requires a reference, --failed or --waiting');
  const states = reference
    ? (['failed', 'waiting'] as const)
    : values.failed
      ? (['failed'] as const)
      : (['waiting'] as const);
  const { retried, resumed, paused } = await retryDeliveries(domainDeps, { states, reference, receiver });
  if (values.json) printJson({ retried, resumed });
  else for (const name of resumed) printNote(`Receiver ${name} is no longer paused`);
  for (const name of paused)
    printNote(`Receiver ${name} is paused; to resume: npm run inbox -- retry --waiting --to ${name}`);
  if (retried === 0 && reference) printError(`no failed or waiting deliveries of ${reference}`);
  else if (values.json) return;
  else if (retried === 0) printNote(values.failed ? 'No failed deliveries' : 'No waiting deliveries');
  else
    printNote(`${formatCount(retried, 'delivery')} due now; the running server, or the next, will send them`);
}
