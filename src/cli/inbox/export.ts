import { formatMessages } from '../../domain/messages/format-messages.ts';
import { eachMessage } from '../../domain/messages/read-inbox.ts';
import type { Services } from '../../server/wire.ts';
import { type Flags, throwUsageError } from '../command.ts';
import { formatCount, printNote } from '../print.ts';
import { isStandardOutput, writeOutput } from '../write-output.ts';
import { type Filters, parseFilters } from './list.ts';

type Values = Filters & Flags<'csv' | 'json' | 'force'>;

export async function exportMessages({ domainDeps }: Services, path: string, values: Values): Promise<void> {
  if (values.csv === values.json) throwUsageError('export requires either --csv or --json');
  const selection = parseFilters(values);
  const isStandard = isStandardOutput(path);
  let written = 0;

  async function* countPages() {
    for await (const page of eachMessage(domainDeps, selection)) {
      yield page;
      written += page.length;
    }
  }

  await writeOutput(path, formatMessages(countPages(), values.csv ? 'csv' : 'json'), values);
  if (!isStandard) printNote(`${formatCount(written, 'message')} exported to ${path}`);
}
