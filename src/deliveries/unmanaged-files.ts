import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalCopy, LocalCopySearch } from '../domain/privacy/local-copies.ts';
import { readOverlappingChunks, undefinedIfMissing } from '../lib/files.ts';
import { decodeBase64, decodeQuoted } from './mail/mail-copies.ts';

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

const readings = [decodeQuoted, decodeBase64];

async function mentionsPerson(path: string, search: Pick<LocalCopySearch, 'mentions'>): Promise<boolean> {
  const isMail = /\.(eml|mbox)$/i.test(path);
  for await (const bytes of readOverlappingChunks(path)) {
    if (search.mentions(bytes.toString('utf8'))) return true;
    if (isMail && readings.some(read => search.mentions(read(bytes.toString('latin1'))))) return true;
  }
  return false;
}
