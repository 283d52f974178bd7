import { dirname } from 'node:path';
import { createMailCopies } from '../deliveries/mail/mail-copies.ts';
import { createSheetCopies } from '../deliveries/sheet/sheet-copies.ts';
import { findUnmanagedFiles } from '../deliveries/unmanaged-files.ts';
import type { LocalCopies } from '../domain/privacy/local-copies.ts';
import { toMessagePayload } from '../outbox/payload.ts';
import { databaseFile } from '../store/sqlite.ts';
import { getBackupFolder } from './backup-path.ts';
import type { Config } from './config.ts';
import { createLedger } from './erasure-ledger.ts';

export function createLocalCopies({ dataDir, databaseUrl, mail }: Config): LocalCopies {
  const sheet = createSheetCopies(dataDir);
  const mails = createMailCopies(dataDir);
  // An SQLite file that remains after a move to PostgreSQL is an unmanaged file, as is a copy of one.
  const live = databaseUrl ? [] : ['', '-wal', '-shm'].map(end => databaseFile(dataDir) + end);
  const ownFiles = [createLedger(dataDir).path, ...live];
  // Backups are as they were made until they expire: the task about backups is for them.
  const isBackup = (path: string) => dirname(path) === getBackupFolder(dataDir);
  const isManaged = (path: string) =>
    sheet.isManaged(path) || mails.isManaged(path) || ownFiles.includes(path) || isBackup(path);

  return {
    find: async search => [
      ...(await sheet.find(search)),
      ...(await mails.find(search)),
      ...(await findUnmanagedFiles(dataDir, isManaged, search)),
    ],
    async erase(erasure) {
      const rows = await sheet.erase(erasure);
      const files = await mails.erase(erasure);
      return { ...rows, ...files, temporaryFiles: rows.temporaryFiles + files.temporaryFiles };
    },
    async rectify(messages, change) {
      const rows = await sheet.rectify(new Set(messages.map(({ reference }) => reference)), change);
      return { rows, mails: await mails.rewrite(messages.map(toMessagePayload), mail) };
    },
    expire: async old => ({ rows: await sheet.expire(old), mails: await mails.expire(old) }),
    expireSubscriberMail: async references => void (await mails.expire({ references, before: undefined })),
  };
}
