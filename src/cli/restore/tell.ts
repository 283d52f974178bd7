import type { Restored } from '../../domain/backup/restore-backup.ts';
import { count, note, print } from '../say.ts';
import { describeCounts, listOf } from './describe.ts';

type Told = Restored & { place: string; madeAt: string };

/** What was restored, and what is left for the owner to do. `hasMemory`: something besides the backup knows of erasures. */
export function tellRestored(
  told: Told,
  { isJson, hasMemory }: { isJson: boolean; hasMemory: boolean },
): void {
  if (isJson) {
    print(told);
    return;
  }
  const { place, madeAt, counts, erased, departed, departuresUnknownSince, doubts, corrections } = told;
  note(`${place} now holds ${describeCounts(counts)}, as of ${madeAt}.`);
  const out = [
    erased.messages > 0 ? count(erased.messages, 'message') : '',
    erased.subscribers > 0 ? count(erased.subscribers, 'subscriber') : '',
    erased.mentions > 0 ? `${count(erased.mentions, 'mention')} in messages of others` : '',
  ].filter(Boolean);
  if (out.length > 0) note(`Erased again: ${listOf(out)}.`);
  if (!hasMemory) {
    note(
      'No erasures are known here but those in the backup. Was anybody erased after it was made? Then restore it ' +
        "again with --erasures and the old machine's erasures.ndjson, or repeat the erasures.",
    );
  }
  if (departed > 0) {
    note(
      `Left the newsletter or suppressed since the backup was made, and still so: ${count(departed, 'subscriber')}.`,
    );
  }
  if (departuresUnknownSince) {
    note(
      `Not known here: who left the newsletter since ${departuresUnknownSince}, or was suppressed. They are back on its list. ` +
        'Is the database they left still there? Then back that up and restore it instead. Otherwise, before the next ' +
        'issue, for everybody you know of (their mails, reports of bounces and complaints): ' +
        'npm run newsletter -- suppress ADDRESS',
    );
  }
  if (corrections > 0) {
    note(
      `Corrected after the backup was made, and now as before: ${corrections}. Repeat: npm run privacy -- rectify`,
    );
  }
  if (doubts.messages > 0) {
    note(
      `${doubts.messages.toLocaleString('en-GB')} deliveries that waited may have left since. They are sent; a receiver that ` +
        'cannot be asked may get one twice, marked as such.',
    );
  }
  if (doubts.issueLetters > 0) {
    note(
      `${count(doubts.issueLetters, 'letter')} of newsletters possibly left since, and are not sent by themselves: ` +
        'npm run newsletter -- status',
    );
  }
  if (doubts.confirmations > 0) {
    note(
      `${count(doubts.confirmations, 'letter')} that asked to confirm are not sent: those people may ask again.`,
    );
  }
  note('Start the site, and run: npm run inbox -- test-message');
}
