import { agreedTo, exportSubscribers } from '../../domain/newsletter/export-subscribers.ts';
import type { Wired } from '../../server/wire.ts';
import { type Flags, throwUsageError } from '../command.ts';
import { printJson, printNote } from '../print.ts';
import { printTable } from '../table.ts';
import { writeOutput } from '../write-output.ts';

type State = NonNullable<Parameters<typeof exportSubscribers>[1]>;

export const states = ['pending', 'confirmed', 'unsubscribed', 'suppressed'] as const;

type Values = Flags<'json'> & { state?: State | undefined };

export async function list(
  { store: { subscribers } }: Wired,
  { state, limit, json: isJson }: Values & { limit: number },
): Promise<void> {
  const [found, total] = await Promise.all([
    subscribers.list({ ...(state && { state }) }, limit),
    subscribers.count(state),
  ]);
  if (isJson) return printJson({ total, subscribers: found });
  printTable(
    found.map(row => ({
      address: row.address ?? '(not kept)',
      state: row.suppressed_why ? `${row.state} (${row.suppressed_why})` : row.state,
      form: agreedTo(row).form,
      asked: agreedTo(row).asked_at,
      confirmed: row.confirmed_at,
      left: row.left_at,
      suppressed: row.suppressed_at,
    })),
  );
  if (total > found.length) printNote(`${found.length} of ${total} are shown.`);
  if (total === 0) printNote('There is nothing to show.');
}

/** Rows without an address mean nothing outside this database. */
export async function exportList(
  { store: { subscribers, wordings } }: Wired,
  { csv: isCsv, json: isJson, state }: Values & Flags<'csv'>,
): Promise<void> {
  if (!isCsv || isJson) throwUsageError('export writes CSV: say --csv.');
  let withoutAddress = 0;
  const parts = exportSubscribers({ subscribers, wordings }, state, () => withoutAddress++);
  await writeOutput('-', parts, {});
  if (withoutAddress > 0)
    printNote(`Not in the file, because only a hash of the address is kept: ${withoutAddress}.`);
}
