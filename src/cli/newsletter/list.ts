import {
  exportSubscribers,
  listSubscribers,
  readConsent,
} from '../../domain/newsletter/export-subscribers.ts';
import type { Services } from '../../server/wire.ts';
import { type Flags, throwUsageError } from '../command.ts';
import { describeShown, printJson, printNote, printTable } from '../print.ts';
import { writeOutput } from '../write-output.ts';

type State = NonNullable<Parameters<typeof exportSubscribers>[1]['state']>;

export const states = ['pending', 'confirmed', 'unsubscribed', 'suppressed'] as const;

type Values = Flags<'json'> & { state?: State | undefined };

export async function list(
  { domainDeps }: Services,
  { state, limit, json: isJson }: Values & { limit: number },
): Promise<void> {
  const { total, subscribers } = await listSubscribers(domainDeps, { state, limit });
  if (isJson) return printJson({ total, subscribers });
  printTable(
    subscribers.map(row => ({
      address: row.address ?? '(erased)',
      state: row.suppression_reason ? `${row.state} (${row.suppression_reason})` : row.state,
      form: readConsent(row).form,
      requested: readConsent(row).consent_requested_at,
      confirmed: row.confirmed_at,
      unsubscribed: row.unsubscribed_at,
      suppressed: row.suppressed_at,
    })),
  );
  if (total > subscribers.length) printNote(describeShown(subscribers.length, total));
  if (total === 0) printNote('No subscribers found');
}

export async function exportList(
  { domainDeps }: Services,
  { csv: isCsv, state }: Values & Flags<'csv'>,
): Promise<void> {
  if (!isCsv) throwUsageError('export requires --csv');
  let withoutAddress = 0;
  const parts = exportSubscribers(domainDeps, { state }, () => withoutAddress++);
  await writeOutput('-', parts, {});
  if (withoutAddress > 0)
    printNote(`Not exported, because only a hash of the address is stored: ${withoutAddress}`);
}
