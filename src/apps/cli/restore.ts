import { createLedger, readErasures } from '../../features/privacy/erasure-ledger.ts';
import { explainFileError } from '../../lib/error-message.ts';
import type { Config } from '../server/config.ts';
import {
  countAllTables,
  openTarget,
  type Restored,
  readBackupTime,
  restoreBackup,
} from '../server/restore-database.ts';
import { confirm, createCommand, type Flags, runCommand, type TextOptions, withConfig } from './command.ts';
import { explainDatabaseError } from './exit-on-error.ts';
import {
  describeCounts,
  exitWithError,
  formatCount,
  joinWithAnd,
  printError,
  printJson,
  printNote,
} from './print.ts';

const about = `Restores a backup into the configured database, SQLite or PostgreSQL. The file is checked first; then \
all of it is restored, or nothing. Stop the site before, and start it afterwards. People erased since the backup are \
erased again, and deliveries that were waiting become unconfirmed. To move a site: npm run copy-database`;

await runCommand(
  createCommand('restore', about, 'backup.sqlite')
    .argument('<file>', 'file written by npm run backup')
    .option('--replace', 'replace all current data in the database')
    .option('--yes', 'skip the confirmation prompt')
    .option('--erasures <file>', 'erasures.ndjson from the data folder of the previous machine')
    .option('--force', 'even if other clients are connected (PostgreSQL)')
    .option('--json', 'print JSON')
    .action(withConfig(restore)),
);

type Values = Flags<'replace' | 'yes' | 'force' | 'json'> & TextOptions<'erasures'>;

async function restore(config: Config, file: string, values: Values): Promise<void> {
  const exitNotRestored = (error: unknown) =>
    exitWithError(`cannot restore ${file}: ${explainFileError(error)}. Nothing was changed.`);
  const ledger = await readErasureFile(createLedger(config.dataDir).path, { isOptional: true });
  const erasures = values.erasures === undefined ? [] : await readErasureFile(values.erasures);
  const createdAt = await readBackupTime(file).catch(exitNotRestored);
  await using target = await openTarget(config, values.force ?? false).catch(error =>
    exitWithError(`${explainDatabaseError(error, config)}. Nothing was changed.`),
  );
  const contents = describeCounts(await countAllTables(target.db));
  if (contents && !(await isReplaceable(`${target.location} contains ${contents}`, values))) return;
  const restored = await restoreBackup(config, target, { file, createdAt, ledger, erasures }).catch(
    exitNotRestored,
  );
  const result = { location: target.location, ...restored };
  if (values.json) printJson(result);
  else for (const line of describeRestore(result)) if (line) printNote(line);
}

async function readErasureFile(file: string, { isOptional = false } = {}) {
  const { rows, unreadable } = await readErasures(file).catch(error => {
    if (isOptional && error.code === 'ENOENT') return { rows: [], unreadable: 0 };
    return exitWithError(`cannot read ${file}: ${explainFileError(error)}. Nothing was changed.`);
  });
  if (rows.length === 0 && unreadable > 0)
    exitWithError(`${file} is not a list of erasures. Nothing was changed.`);
  if (unreadable > 0)
    printNote(`${file}: ${formatCount(unreadable, 'damaged line')} skipped, so erasures may be missing`);
  return rows;
}

async function isReplaceable(contents: string, values: Values): Promise<boolean> {
  if (!values.replace) {
    printError(`${contents}. Use --replace to replace all of it. Nothing was changed.`);
    return false;
  }
  printNote(`${contents}. All of it will be replaced.`);
  return confirm('Replace it?', values, 'Nothing was changed');
}

function describeRestore({
  location,
  createdAt,
  counts,
  erased,
  optOuts,
  unfinished,
  ...restored
}: Restored & { location: string }) {
  const again = joinWithAnd([
    ...(erased.messages > 0 ? [formatCount(erased.messages, 'message')] : []),
    ...(erased.newsletter > 0 ? [formatCount(erased.newsletter, 'subscriber')] : []),
    ...(erased.mentions > 0 ? [`${formatCount(erased.mentions, 'mention')} in other messages`] : []),
  ]);
  const { messages, issues, confirmations } = unfinished;
  return [
    `${location} restored${createdAt && ` as of ${createdAt}`}: ${describeCounts(counts) || 'empty'}`,
    again && `Erased again: ${again}`,
    restored.areErasuresUnknown &&
      'No erasures after the backup are known on this machine. If there were any, restore again with --erasures and ' +
        "the old machine's erasures.ndjson, or repeat the erasures.",
    optOuts > 0 &&
      `Unsubscribed or suppressed since the backup, and still so: ${formatCount(optOuts, 'subscriber')}`,
    restored.areOptOutsUnknown &&
      'People who unsubscribed or were suppressed after the backup are not known on this machine, and are subscribed ' +
        'again. If the old database still exists, back it up and restore that instead. Otherwise, before the next issue, ' +
        'for each address you know of: npm run newsletter -- suppress ADDRESS',
    restored.corrections > 0 &&
      `Corrections made after the backup are lost: ${restored.corrections}. Repeat them: npm run privacy -- rectify`,
    messages > 0 &&
      `${formatCount(messages, 'waiting delivery')} may have been sent since the backup. They are sent again; a receiver ` +
        'that cannot be searched may get one twice, marked as a possible duplicate.',
    issues > 0 &&
      `${formatCount(issues, 'newsletter mail')} may have been sent since, and will not be resent by itself: npm run newsletter -- status`,
    confirmations > 0 &&
      `${formatCount(confirmations, 'confirmation mail')} cancelled; those people can sign up again`,
    'Start the site, then run: npm run inbox -- test-message',
  ];
}
