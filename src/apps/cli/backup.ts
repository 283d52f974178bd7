import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createBackup } from '../../core/database/create-backup.ts';
import { FileWriteError, writeNewFile } from '../../core/new-file.ts';
import { errorMessage } from '../../lib/error-message.ts';
import type { Services } from '../server/wire.ts';
import { createCommand, type Flags, runCommand, throwUsageError, withServices } from './command.ts';
import { describeCounts, printError, printJson, printNote } from './print.ts';

const about = `Writes a snapshot of the whole database to FILE while the site is running. The file is an SQLite \
database, whether the site uses SQLite or PostgreSQL. To restore it: npm run restore -- FILE

The file contains personal data and the keys of newsletter links: protect it like the database. It does not contain \
copies in sheets, mails or other files of the data folder.`;

await runCommand(
  createCommand('backup', about, 'backup.sqlite')
    .argument('<file>', 'file to write')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print JSON')
    .action(withServices(writeBackup)),
);

async function writeBackup(
  { domainDeps, database }: Services,
  path: string,
  values: Flags<'force' | 'json'>,
): Promise<void> {
  if (resolve(path) === database.location)
    throwUsageError(`${path} is the database of the site itself; name another file for the backup`);
  let isWritten = false;
  async function writeFile(fill: (draft: string) => Promise<void>): Promise<void> {
    await writeNewFile(path, fill, { isForced: values.force ?? false });
    isWritten = true;
  }
  let backup: Awaited<ReturnType<typeof createBackup>>;
  try {
    backup = await createBackup(domainDeps, writeFile);
  } catch (error) {
    if (error instanceof FileWriteError) throw error;
    const problem = isWritten
      ? `${path} is complete, but check-launch will not know of it`
      : `cannot write ${path}`;
    return printError(`${problem}: ${errorMessage(error)}`);
  }
  const { size: bytes } = await stat(path);
  if (values.json) return printJson({ file: path, bytes, ...backup });
  printNote(
    `${path} written (${(bytes / 1_000_000).toFixed(1)} MB): ${describeCounts(backup.counts) || 'empty'}`,
  );
}
