import { stat } from 'node:fs/promises';
import type { Wired } from '../server/wire.ts';
import { createCommand, type Flags, runCommand, withDatabase } from './command.ts';
import { FileWriteError, writeNewFile } from './new-file.ts';
import { describeCounts, printError, printJson, printNote } from './print.ts';
import { errorMessage } from './print-error.ts';

const about = `Writes everything the database holds into FILE, as it is at this moment, while the site goes on: one SQLite \
file, whichever database it is taken from. npm run restore -- FILE brings it back.

The file holds what visitors wrote, and the keys of links in newsletters: keep it as you would keep the database. \
Copies in sheets, in mails and in files of the data folder are not in it.`;

await runCommand(
  createCommand('backup', about, 'backup.sqlite')
    .argument('<file>', 'a new file')
    .option('--force', 'replace a file that is there')
    .option('--json', 'print JSON')
    .action(withDatabase(backup)),
);

async function backup({ store, clock }: Wired, path: string, values: Flags<'force' | 'json'>): Promise<void> {
  const madeAt = clock.now().toISOString();
  let counts: Record<string, number> = {};
  async function fill(draft: string): Promise<void> {
    counts = await store.backUp(draft, madeAt);
  }
  try {
    await writeNewFile(path, fill, { isForced: values.force ?? false });
  } catch (error) {
    return printError(
      error instanceof FileWriteError ? error.message : `${path} was not written: ${errorMessage(error)}.`,
    );
  }
  await store.schedule.noteDone('backup', madeAt);
  const { size: bytes } = await stat(path);
  if (values.json) return printJson({ file: path, bytes, madeAt, counts });
  printNote(`${path} (${(bytes / 1_000_000).toFixed(1)} MB) holds ${describeCounts(counts) || 'nothing'}.`);
}
