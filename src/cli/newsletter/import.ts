import { wordingId } from '../../content/wording.ts';
import { importSubscribers } from '../../domain/subscribers/import-subscribers.ts';
import { readList, UnreadableList } from '../../domain/subscribers/list-file.ts';
import type { Wired } from '../../server/wire.ts';
import { complain } from '../complain.ts';
import { fail, note, print } from '../say.ts';
import { printTable } from '../table.ts';
import { type Call, count } from './call.ts';

export async function importList(wired: Wired, { given, values }: Call): Promise<void> {
  const file = given[0] as string;
  const { clock, ids } = wired;
  const deps = {
    ...{ clock, ids, subscribers: wired.store.subscribers },
    newsletter: wired.newsletter.naming,
    nameWording: wordingId,
  };
  const mistakes: { line: number; reason: string }[] = [];
  const result = await importSubscribers(deps, () => readList(file), {
    asConfirmed: values.confirmed,
    isDryRun: values['dry-run'],
    onMistake(mistake) {
      if (values.json) mistakes.push(mistake);
      else note(`${file} line ${mistake.line}: ${mistake.reason}`);
    },
  }).catch(error => {
    if (error instanceof UnreadableList) complain(`${file} cannot be read: ${error.message}.`);
    throw error;
  });
  const { counts, isImported } = result;
  if (result.mistakes > 0) process.exitCode = 1;
  if (values.json) return print({ isImported, isDryRun: values['dry-run'], ...counts, mistakes });
  if (!isImported)
    return fail(`Nothing was imported: lines without proof or with mistakes: ${result.mistakes}.`);
  printTable(
    [
      'to be asked',
      'confirmed',
      'unsubscribed',
      'suppressed',
      'known before',
      'twice in the file',
      'left out',
    ],
    [
      [
        counts.ask,
        counts.confirmed,
        counts.unsubscribed,
        counts.suppressed,
        counts.known,
        counts.repeated,
        result.mistakes,
      ].map(String),
    ],
  );
  if (values['dry-run']) return note('Nothing was changed: this was a dry run.');
  const { ceiling } = wired.config.newsletter;
  // A fifth stays for visitors.
  const perHour = ceiling - Math.floor(ceiling / 5);
  if (counts.ask > 0)
    note(
      `Letters that ask to confirm leave by and by, at most ${perHour} an hour (four fifths of NEWSLETTER_CEILING): ` +
        `the last in about ${count(Math.ceil(counts.ask / perHour), 'hour')}, later if many visitors ask.`,
    );
}
