import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncFolder, undefinedIfMissing } from '../files.ts';
import { type FilesDeps, retryLater } from '../outbox/delivery.ts';
import type { MailTransport } from './compose-mail.ts';

/** The file name comes from the mail, so a repeated attempt replaces its own file. */
export function createFolderTransport({ dataDir, checkDiskSpace }: FilesDeps): MailTransport {
  const folder = join(dataDir, 'mail');
  const getFilePath = (date: Date, reference: string) =>
    join(
      folder,
      `${date.toISOString().slice(0, 19).replaceAll(':', '')}-${encodeURIComponent(reference)}.eml`,
    );

  return {
    destination: folder,
    isIdempotent: true,
    isLocal: true,
    ...(checkDiskSpace && { checkDiskSpace }),
    async transmit({ date, reference, bytes }) {
      const file = getFilePath(date, reference);
      const tempPath = `${file}.part`;
      try {
        await makeFolder(folder);
        await writeFile(tempPath, bytes, { mode: 0o600, flush: true });
        await rename(tempPath, file);
        await syncFolder(folder);
        // An earlier process may have made the folder and crashed before it was durable.
        await syncFolder(dataDir);
        return { kind: 'delivered' };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return retryLater({ code: 'folder-not-written', folder, cause: String(code) }, false);
      }
    },
    async find({ receivedAt, reference }) {
      const found = await stat(getFilePath(new Date(receivedAt), reference)).catch(undefinedIfMissing);
      return found !== undefined;
    },
    close: () => undefined,
  };
}
