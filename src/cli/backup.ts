import { stat } from 'node:fs/promises';
import { createBackup } from '../domain/backup/maintenance.ts';
import type { Services } from '../server/wire.ts';
import { createCommand, type Flags, runCommand, withDatabase } from './command.ts';
import { FileWriteError, writeNewFile } from './new-file.ts';
import { describeCounts, printError, printJson, printNote } from './print.ts';
import { errorMessage } from './print-error.ts';

const about = `Writes a snapshot of the whole database to FILE while the site is running. The file is an SQLite \
database, whether the site uses SQLite or PostgreSQL. To restore it: npm run restore -- FILE

The file contains personal data and the keys of newsletter links: protect it like the database. It does not contain \
copies in sheets, mails or other files of the data folder.`;

await runCommand(
  createCommand('backup', about, 'backup.sqlite')
    .argument('<file>', 'file to write')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print JSON')
    .action(withDatabase(backup)),
);

async function backup(
  { domainDeps }: Services,
  path: string,
  values: Flags<'force' | 'json'>,
): Promise<void> {
  const writeFile = (fill: (draft: string) => Promise<void>) =>
    writeNewFile(path, fill, { isForced: values.force ?? false });
  let made: Awaited<ReturnType<typeof createBackup>>;
  try {
    made = await createBackup(domainDeps, writeFile);
  } catch (error) {
    if (error instanceof FileWriteError) throw error;
    return printError(`cannot write ${path}: ${errorMessage(error)}`);
  }
  const { size: bytes } = await stat(path);
  if (values.json) return printJson({ file: path, bytes, ...made });
  printNote(
    `${path} written (${(bytes / 1_000_000).toFixed(1)} MB): ${describeCounts(made.counts) || 'empty'}`,
  );
}
