import { stat } from 'node:fs/promises';
import { BackupMistake } from '../../domain/backup/format.ts';
import { ChangedFile, type Checked, checkBackup, restoreBackup } from '../../domain/backup/restore-backup.ts';
import type { Config } from '../../server/config.ts';
import { createLedger } from '../../server/ledger.ts';
import { InUse, known, openForRestore, systemClock, type Target } from '../../server/restoring.ts';
import { refuse } from '../command.ts';
import { complain, explainFile, explainStore } from '../complain.ts';
import { createProgress } from '../progress.ts';
import { fail, note } from '../say.ts';
import { askYes, canAsk } from '../terminal.ts';
import { DamagedFile, readBackupFile } from './backup-file.ts';
import type { Call } from './call.ts';
import { describeCounts } from './describe.ts';
import { gatherErasures, keepErasures } from './erasures.ts';
import { tellRestored } from './tell.ts';

/** Checks the whole file before the database is opened, and writes all of it or nothing. */
export async function restore(config: Config, { given, values }: Call): Promise<void> {
  const path = given[0] as string;
  if (path === '-') refuse('A backup is read twice, so it must be a file.');
  const ledger = createLedger(config.dataDir);
  const remembered = await gatherErasures(ledger.place, values.erasures);
  const checked = await check(path);

  await using target = await open(config);
  await assertAlone(target, values.force);
  const standing = await target.look();
  const isEmpty = lasting.every(table => standing.counts[table] === 0);
  if (!isEmpty && !(await isReplaceable(target.place, standing.counts, values))) return;
  // On the disk first: whatever happens to this restore, they are known to the next one.
  await keepErasures(ledger, checked, standing, remembered);

  const progress = createProgress('rows restored', sum(checked.counts));
  const input = { checked, standing, remembered, isMoved: values.moved, progress: progress.draw };
  const restored = await restoreBackup(
    { target, clock: systemClock },
    { ...input, read: () => readBackupFile(path) },
  )
    .finally(progress.clear)
    .catch(error => complain(explainRefusal(path, error)));
  const hasMemory = remembered.length + standing.audit.length > 0;
  tellRestored(
    { place: target.place, madeAt: checked.madeAt, ...restored },
    { isJson: values.json, hasMemory },
  );
}

/** What would be missed. The rest is made anew by a site that starts. */
const lasting = ['messages', 'deliveries', 'subscribers', 'sign_ups', 'issues'] as const;

async function check(path: string): Promise<Checked> {
  const size = await stat(path).then(
    found => found.size,
    error => complain(explainRefusal(path, error)),
  );
  const progress = createProgress('bytes checked', size);
  return checkBackup(() => readBackupFile(path, progress.draw), known)
    .finally(progress.clear)
    .catch(error => complain(explainRefusal(path, error)));
}

/** One line for what is wrong with the file or with the room for it. */
function explainRefusal(path: string, error: unknown): string {
  const untouched = 'Nothing was changed.';
  if (error instanceof BackupMistake) return `${path} line ${error.line}: ${error.message}. ${untouched}`;
  if (error instanceof DamagedFile) return `${path} is damaged: ${error.message}. ${untouched}`;
  if (error instanceof ChangedFile) return `${path} cannot be restored: ${error.message}. ${untouched}`;
  return `${path} cannot be restored: ${explainFile(error)}. ${untouched}`;
}

function open(config: Config): Promise<Target> {
  return openForRestore(config).catch(error => {
    if (error instanceof InUse) {
      complain(
        `Another process has the database in ${config.dataDir} open: stop the site first. Nothing was changed.`,
      );
    }
    return complain(explainStore(error, config));
  });
}

/** A site that runs on would go on with secrets and messages that are no longer there. */
async function assertAlone(target: Target, isForced: boolean): Promise<void> {
  const others = await target.listOthers();
  if (others.length === 0 || isForced) return;
  complain(
    `${target.place} is in use by ${[...new Set(others)].join(', ')}: stop the site first, or say --force. ` +
      'Nothing was changed.',
  );
}

async function isReplaceable(
  place: string,
  counts: Record<string, number>,
  values: Call['values'],
): Promise<boolean> {
  const held = `${place} holds ${describeCounts(counts)}`;
  if (!values.replace) {
    fail(`${held}. --replace puts the backup in their place. Nothing was changed.`);
    return false;
  }
  note(`${held}: all of it goes.`);
  if (values.yes) return true;
  if (!canAsk()) refuse('Nothing was changed: there is nobody here to ask. Say --yes to replace it.');
  if (await askYes('Replace it?')) return true;
  fail('Nothing was changed.');
  return false;
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, one) => total + one, 0);
}
