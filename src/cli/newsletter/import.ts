import { readFileSync, statSync } from 'node:fs';
import {
  type AddressList,
  type ImportCounts,
  importSubscribers,
  readAddressList,
} from '../../domain/newsletter/import-subscribers.ts';
import type { Wired } from '../../server/wire.ts';
import { confirm, type Flags } from '../command.ts';
import { formatCount, printJson, printNote } from '../print.ts';
import { exitWithError, explainFileError } from '../print-error.ts';
import { printTable } from '../table.ts';

const maxFileBytes = 16 * 1024 * 1024;

type Values = Flags<'yes' | 'dryRun' | 'json'>;

export async function importList(wired: Wired, file: string, values: Values): Promise<void> {
  const { addresses, invalidLines, departed } = readList(file);
  const { clock, ids, newsletter } = wired;
  const { signUps, subscribers } = wired.store;
  const nudge = () => undefined;
  const deps = { signUps, subscribers, clock, ids, newsletter: newsletter.naming, nudge };
  const isDryRun = values.dryRun ?? false;
  const planned = await importSubscribers(deps, addresses, { isDryRun: true });
  if (invalidLines.length > 0) process.exitCode = 1;
  if (!values.json) show(planned, invalidLines);
  if (departed > 0)
    printNote(`Not asked, because the file says that they left or are suppressed: ${departed}.`);
  const isWanted =
    !isDryRun &&
    planned.added > 0 &&
    (await confirm(
      `Send ${formatCount(planned.added, 'confirmation mail')}?`,
      values,
      'Nothing was imported',
    ));
  const done = isWanted ? await importSubscribers(deps, addresses, { isDryRun: false }) : planned;
  if (values.json) return printJson({ isImported: isWanted, ...done, departed, invalidLines });
  if (isDryRun) return printNote('Nothing was changed: this was a dry run.');
  if (planned.added === 0) return printNote('There is no address to ask.');
  if (!isWanted) return;
  const { ceiling } = wired.config.newsletter;
  // A fifth of the ceiling is reserved for visitors.
  const perHour = ceiling - Math.floor(ceiling / 5);
  printNote(
    `Added: ${done.added}. Confirmation mails leave by and by, at most ${perHour} an hour (four fifths of ` +
      `NEWSLETTER_CEILING): the last in about ${formatCount(Math.ceil(done.added / perHour), 'hour')}, later if many visitors ask.`,
  );
}

function readList(file: string): AddressList {
  try {
    if (statSync(file).size > maxFileBytes) throw new Error('it is longer than 16 MB; import it in parts');
    return readAddressList(readFileSync(file));
  } catch (error) {
    return exitWithError(`${file} cannot be read: ${explainFileError(error)}.`);
  }
}

function show(counts: ImportCounts, invalidLines: number[]): void {
  const { added, subscribed, unsubscribed, suppressed, repeated } = counts;
  printTable([
    {
      ...{ 'to be asked': added, 'already subscribed': subscribed, unsubscribed, suppressed },
      ...{ 'twice in the file': repeated, 'not an address': invalidLines.length },
    },
  ]);
  const shown = invalidLines.slice(0, 100).join(', ');
  if (shown) printNote(`Not an address: line ${shown}${invalidLines.length > 100 ? ' and others' : ''}.`);
}
