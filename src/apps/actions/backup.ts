import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { actionsNeeding, type DepsOf, field, flag, Refusal, UsageError } from '../../core/action.ts';
import { createBackup } from '../../core/database/create-backup.ts';
import { FileWriteError, writeNewFile } from '../../core/new-file.ts';
import { describeCounts } from '../../lib/describe-counts.ts';
import { errorMessage } from '../../lib/error-message.ts';

const defineAction = actionsNeeding<{
  domainDeps: DepsOf<typeof createBackup>;
  database: { location: string };
}>();

export const backup = defineAction({
  name: 'backup',
  about: `Writes a snapshot of the whole database to FILE while the site is running. The file is an SQLite \
database, whether the site uses SQLite or PostgreSQL. To restore it: npm run restore -- FILE

The file contains personal data and the keys of newsletter links: protect it like the database. It does not contain \
copies in sheets, mails or other files of the data folder.`,
  examples: ['backup.sqlite'],
  input: v.object({
    file: field('<file>', 'file to write', v.string()),
    force: flag('--force', 'overwrite an existing file'),
  }),
  async run({ domainDeps, database }, { file, force: isForced }) {
    if (resolve(file) === database.location)
      throw new UsageError(`${file} is the database of the site itself; name another file for the backup`);
    let isWritten = false;
    const written = await createBackup(domainDeps, async fill => {
      await writeNewFile(file, fill, { isForced });
      isWritten = true;
    }).catch(error => {
      if (error instanceof FileWriteError) throw error;
      const problem = isWritten
        ? `${file} is complete, but check-launch will not know of it`
        : `cannot write ${file}`;
      throw new Refusal(`${problem}: ${errorMessage(error)}`);
    });
    const { size: bytes } = await stat(file);
    return { file, bytes, ...written };
  },
  print: ({ file, bytes, counts }) => [
    `${file} written (${(bytes / 1_000_000).toFixed(1)} MB): ${describeCounts(counts) || 'empty'}`,
  ],
});
