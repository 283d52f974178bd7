import { readFileSync, statSync } from 'node:fs';
import {
  type AddressList,
  type ImportCounts,
  importSubscribers,
  readAddressList,
} from '../../domain/newsletter/import-subscribers.ts';
import type { Services } from '../../server/wire.ts';
import { confirm, type Flags } from '../command.ts';
import { exitWithError, explainFileError, formatCount, printJson, printNote, printTable } from '../print.ts';

const maxFileBytes = 16 * 1024 * 1024;

type Values = Flags<'yes' | 'dryRun' | 'json'>;

export async function importList(services: Services, file: string, values: Values): Promise<void> {
  const { addresses, invalidLines, optedOut } = readList(file);
  const isDryRun = values.dryRun ?? false;
  const planned = await importSubscribers(services.domainDeps, addresses, { isDryRun: true });
  if (invalidLines.length > 0) process.exitCode = 1;
  if (!values.json) printCounts(planned, invalidLines);
  if (optedOut > 0)
    printNote(`Skipped, because the file lists them as unsubscribed or suppressed: ${optedOut}`);
  const isWanted =
    !isDryRun &&
    planned.added > 0 &&
    (await confirm(
      `Send ${formatCount(planned.added, 'confirmation mail')}?`,
      values,
      'Nothing was imported',
    ));
  const done = isWanted
    ? await importSubscribers(services.domainDeps, addresses, { isDryRun: false })
    : planned;
  if (values.json) return printJson({ isImported: isWanted, ...done, optedOut, invalidLines });
  if (isDryRun) return printNote('Dry run: nothing was changed');
  if (planned.added === 0) return printNote('No new addresses to import');
  if (!isWanted) return;
  const { maxPerHour } = services.config.newsletter;
  // A fifth is reserved for visitors.
  const perHour = maxPerHour - Math.floor(maxPerHour / 5);
  printNote(
    `${formatCount(done.added, 'confirmation mail')} queued. At most ${perHour} an hour are sent (four fifths of ` +
      `NEWSLETTER_MAX_PER_HOUR), so the last leaves in about ${formatCount(Math.ceil(done.added / perHour), 'hour')}.`,
  );
}

function readList(file: string): AddressList {
  try {
    if (statSync(file).size > maxFileBytes) throw new Error('it is larger than 16 MB; import it in parts');
    return readAddressList(readFileSync(file));
  } catch (error) {
    return exitWithError(`cannot read ${file}: ${explainFileError(error)}`);
  }
}

function printCounts(counts: ImportCounts, invalidLines: number[]): void {
  const { added, subscribed, unsubscribed, suppressed, repeated } = counts;
  printTable([
    {
      ...{ 'to confirm': added, 'already subscribed': subscribed, unsubscribed, suppressed },
      ...{ duplicate: repeated, invalid: invalidLines.length },
    },
  ]);
  const shown = invalidLines.slice(0, 100).join(', ');
  if (shown)
    printNote(`Invalid addresses on lines: ${shown}${invalidLines.length > 100 ? ' and others' : ''}`);
}
