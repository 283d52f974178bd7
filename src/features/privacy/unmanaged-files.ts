import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readOverlappingChunks, undefinedIfMissing } from '../../core/files.ts';
import type { LocalCopy, LocalCopySearch } from '../../core/local-files.ts';
import { readMail } from '../../core/mail/read-mail.ts';

/** Searches the bytes of other files in the data folder, such as exported lists. Compressed files cannot be searched. */
export async function findUnmanagedFiles(
  dataDir: string,
  isManaged: (path: string) => boolean,
  search: Pick<LocalCopySearch, 'mentions'>,
): Promise<LocalCopy[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true }).catch(undefinedIfMissing);
  const found: LocalCopy[] = [];
  for (const entry of entries ?? []) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || isManaged(path) || !(await mentionsPerson(path, search))) continue;
    found.push({ kind: 'unmanaged file', path, reference: '', at: '', belongsToPerson: false });
  }
  return found;
}

async function mentionsPerson(path: string, search: Pick<LocalCopySearch, 'mentions'>): Promise<boolean> {
  for await (const bytes of readOverlappingChunks(path)) {
    if (search.mentions(bytes.toString('utf8'))) return true;
  }
  if (!/\.(eml|mbox)$/i.test(path)) return false;
  for await (const mail of readMails(path)) {
    // The owner has to check what cannot be read.
    const text = await readMail(Buffer.from(mail, 'latin1')).then(
      read => read.text,
      () => undefined,
    );
    if (text === undefined || search.mentions(text)) return true;
  }
  return false;
}

const mailSeparator = /^(?=From \S+ .*\d\d:\d\d)/m;
const maxMailLength = 32 << 20;

/** The mails of a file, byte for byte; what follows the first 32 MB of one is read like another. */
async function* readMails(path: string): AsyncGenerator<string> {
  const isMailbox = /\.mbox$/i.test(path);
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
    const mails = isMailbox ? (rest + chunk).split(mailSeparator) : [rest + chunk];
    rest = mails.pop() ?? '';
    yield* mails;
    if (rest.length < maxMailLength) continue;
    yield rest;
    rest = '';
  }
  yield rest;
}
