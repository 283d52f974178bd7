import { dirname } from 'node:path';
import { getBackupFolder } from '../../core/database/backup-path.ts';
import { databaseFile } from '../../core/database/sqlite.ts';
import type { LocalCopies, LocalFiles } from '../../core/local-files.ts';
import { createMailCopies } from '../../core/mail/mail-copies.ts';
import { addCounts } from '../../core/personal-data.ts';
import { createErasureFile } from './erasure-log.ts';
import { findUnmanagedFiles } from './unmanaged-files.ts';

type DataFolder = { dataDir: string; databaseUrl: string | undefined };

/** Files that features write, mails as files, and what else is in the data folder. */
export function createLocalCopies(
  { dataDir, databaseUrl }: DataFolder,
  ofFeatures: readonly LocalFiles[],
): LocalCopies {
  const mails = createMailCopies(dataDir);
  const files: LocalFiles[] = [
    ...ofFeatures,
    { ...mails, expire: async old => ({ mails: await mails.expire(old) }) },
  ];
  // An SQLite file that remains after a move to PostgreSQL is an unmanaged file, as is a copy of one.
  const live = databaseUrl ? [] : ['', '-wal', '-shm'].map(end => databaseFile(dataDir) + end);
  const ownFiles = [createErasureFile(dataDir).path, ...live];
  // Backups are as they were made until they expire: the task about backups is for them.
  const isBackup = (path: string) => dirname(path) === getBackupFolder(dataDir);
  const isManaged = (path: string) =>
    files.some(each => each.isManaged(path)) || ownFiles.includes(path) || isBackup(path);

  return {
    async find(search) {
      const found = await Array.fromAsync(files, each => each.find(search));
      return [...found.flat(), ...(await findUnmanagedFiles(dataDir, isManaged, search))];
    },
    async erase(erasure) {
      const total = { rows: 0, redacted: 0, mails: 0, temporaryFiles: 0 };
      for (const each of files) addCounts(total, await each.erase(erasure));
      return total;
    },
    async expire(old) {
      const total = { rows: 0, mails: 0 };
      for (const each of files) addCounts(total, await each.expire(old));
      return total;
    },
    expireMails: async references => void (await mails.expire({ references, before: undefined })),
  };
}
