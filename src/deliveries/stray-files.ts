import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing, readOverlapping } from '../lib/files.ts';
import type { Copy, CopySearch } from './copies.ts';
import { decodeBase64, decodeQuoted } from './mail/decode.ts';

/**
 * Whatever else lies in the data folder: previews, a list that somebody exported, a database from before the site moved
 * to another. By its bytes, for nobody knows what it is; a mail also as it is read. What is compressed cannot be seen into.
 */
export async function findStrayFiles(
  dataDir: string,
  isOurs: (path: string) => boolean,
  search: Pick<CopySearch, 'mentions'>,
): Promise<Copy[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true }).catch(orMissing);
  const found: Copy[] = [];
  for (const entry of entries ?? []) {
    const place = join(entry.parentPath, entry.name);
    if (!entry.isFile() || isOurs(place) || !(await holds(place, search))) continue;
    found.push({ kind: 'file', place, reference: '', at: '', isTheirs: false });
  }
  return found;
}

const readings = [decodeQuoted, decodeBase64];

async function holds(path: string, search: Pick<CopySearch, 'mentions'>): Promise<boolean> {
  const isMail = /\.(eml|mbox)$/i.test(path);
  for await (const bytes of readOverlapping(path)) {
    if (search.mentions(bytes.toString('utf8'))) return true;
    if (isMail && readings.some(read => search.mentions(read(bytes.toString('latin1'))))) return true;
  }
  return false;
}
