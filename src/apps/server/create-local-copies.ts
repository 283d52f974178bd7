import { dirname } from 'node:path';
import { getBackupFolder } from '../../core/database/backup-path.ts';
import { databaseFile } from '../../core/database/sqlite.ts';
import { createMailCopies } from '../../core/mail/mail-copies.ts';
import { toMessagePayload } from '../../features/messages/payloads.ts';
import { createNotificationMail } from '../../features/messages/receivers/notification-mail.ts';
import { createSheetCopies } from '../../features/messages/receivers/sheet-copies.ts';
import { createLedger } from '../../features/privacy/erasure-ledger.ts';
import type { LocalCopies } from '../../features/privacy/local-copies.ts';
import { findUnmanagedFiles } from '../../features/privacy/unmanaged-files.ts';
import type { Config } from './config.ts';

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
      const notifications = messages.map(row =>
        createNotificationMail(toMessagePayload(row), mail.to, false),
      );
      const rows = await sheet.rectify(new Set(messages.map(({ reference }) => reference)), change);
      return { rows, mails: await mails.rewrite(notifications, mail.from) };
    },
    expire: async old => ({ rows: await sheet.expire(old), mails: await mails.expire(old) }),
    expireSubscriberMail: async references => void (await mails.expire({ references, before: undefined })),
  };
}
