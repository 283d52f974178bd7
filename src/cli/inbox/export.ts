import { formatMessages } from '../../domain/messages/format-messages.ts';
import { searchMessages } from '../../domain/messages/search-messages.ts';
import type { Wired } from '../../server/wire.ts';
import { type Flags, throwUsageError } from '../command.ts';
import { formatCount, printNote } from '../print.ts';
import { isStandardOutput, writeOutput } from '../write-output.ts';
import { type Filters, readFilter } from './list.ts';

type Values = Filters & Flags<'csv' | 'json' | 'force'>;

/** From the newest, so that it ends however many messages arrive meanwhile. */
export async function exportMessages(
  { store: { messages } }: Wired,
  path: string,
  values: Values,
): Promise<void> {
  if (values.csv === values.json) throwUsageError('export writes --csv or --json: say which.');
  const { filter, words } = readFilter(values);
  const isStandard = isStandardOutput(path);
  let written = 0;

  async function* pages() {
    const found = words ? searchMessages({ messages }, filter, words) : messages.each(filter, 'newest');
    for await (const page of found) {
      yield page;
      written += page.length;
    }
  }

  await writeOutput(path, formatMessages(pages(), values.csv ? 'csv' : 'json'), values);
  if (!isStandard)
    printNote(`${formatCount(written, 'message')} ${written === 1 ? 'is' : 'are'} in ${path}.`);
}
