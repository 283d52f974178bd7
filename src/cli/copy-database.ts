import type { Config } from '../server/config.ts';
import { checkBackup, copyDatabase, countRows, isPostgres, openTarget } from '../server/restore-database.ts';
import { createCommand, type Flags, runCommand, throwUsageError, withConfig } from './command.ts';
import { describeCounts, printJson, printNote } from './print.ts';
import { exitWithError, explainFileError } from './print-error.ts';

const about = `Copies a database into an empty one, as it is: to move from SQLite to PostgreSQL or back. Each is the \
path of an SQLite file or an address like postgres://user:password@host/name. Stop the site before.`;

await runCommand(
  createCommand('copy-database', about, 'data/wardhouse.sqlite postgres://…')
    .argument('<from>', 'the database to read')
    .argument('<to>', 'an empty one')
    .option('--force', 'although others are connected to one of them (PostgreSQL)')
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
  for (const address of [from, to]) {
    if (address.includes('://') && !(isPostgres(address) && URL.canParse(address)))
      throwUsageError('A database is the path of an SQLite file, or an address that begins with postgres://');
  }
  const refused = (name: string) => (error: unknown) =>
    exitWithError(`The database ${name} cannot be used: ${explainFileError(error)}. Nothing was changed.`);
  if (!isPostgres(from)) await checkBackup(from).catch(refused('FROM'));
  await using target = await openTarget(config, isForced, to).catch(refused('TO'));
  const before = await countRows(target.db);
  const held = describeCounts(before) || (before.audit ? 'erasures' : '');
  if (held) exitWithError(`${target.place} holds ${held}: copy into an empty database. Nothing was changed.`);
  const counts = await copyDatabase(config, from, target, isForced).catch(refused('FROM'));
  if (values.json) return printJson({ place: target.place, counts });
  printNote(`${target.place} now holds ${describeCounts(counts) || 'nothing'}.`);
}
