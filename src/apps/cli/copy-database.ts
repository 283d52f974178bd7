import { explainFileError } from '../../lib/error-message.ts';
import type { Config } from '../server/config.ts';
import {
  copyDatabase,
  countAllTables,
  isPostgres,
  openTarget,
  readBackupTime,
} from '../server/restore-database.ts';
import { createCommand, type Flags, runCommand, throwUsageError, withConfig } from './command.ts';
import { describeCounts, exitWithError, printJson, printNote } from './print.ts';

const about = `Copies a database into an empty one, to move from SQLite to PostgreSQL or back. Each is the path of \
an SQLite file or a URL such as postgres://user:password@host/name. Stop the site first.`;

await runCommand(
  createCommand('copy-database', about, 'data/wardhouse.sqlite postgres://…')
    .argument('<from>', 'source database')
    .argument('<to>', 'target database, which must be empty')
    .option('--force', 'even if other clients are connected (PostgreSQL)')
    .option('--json', 'print JSON')
    .action(withConfig(copy)),
);

async function copy(
  config: Config,
  from: string,
  to: string,
  values: Flags<'force' | 'json'>,
): Promise<void> {
  const isForced = values.force ?? false;
  for (const database of [from, to]) {
    if (database.includes('://') && !(isPostgres(database) && URL.canParse(database)))
      throwUsageError('a database is the path of an SQLite file or a postgres:// URL');
  }
  const exitNotCopied = (name: string) => (error: unknown) =>
    exitWithError(`cannot use the database ${name}: ${explainFileError(error)}. Nothing was changed.`);
  if (!isPostgres(from)) await readBackupTime(from).catch(exitNotCopied('FROM'));
  await using target = await openTarget(config, isForced, to).catch(exitNotCopied('TO'));
  const before = await countAllTables(target.db);
  const contents = describeCounts(before) || (before.audit ? 'erasures' : '');
  if (contents) exitWithError(`${target.location} is not empty (${contents}). Nothing was changed.`);
  const counts = await copyDatabase(config, from, target, isForced).catch(exitNotCopied('FROM'));
  if (values.json) return printJson({ location: target.location, counts });
  printNote(`Copied to ${target.location}: ${describeCounts(counts) || 'empty'}`);
}
