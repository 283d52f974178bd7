import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Copy, type CopySearch, orMissing } from './copies.ts';
import { decodeBase64, decodeQuoted } from './mail/decode.ts';

/** Read a part at a time, each with the end of the one before: an address may lie across them. */
const [partLength, overlap] = [1 << 20, 1024];

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
  await using file = await open(path).catch(orMissing);
  if (!file) return false;
  const isMail = /\.(eml|mbox)$/i.test(path);
  let before = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(partLength), position });
    if (bytesRead === 0) return false;
    const bytes = Buffer.concat([before, buffer.subarray(0, bytesRead)]);
    if (search.mentions(bytes.toString('utf8'))) return true;
    if (isMail && readings.some(read => search.mentions(read(bytes.toString('latin1'))))) return true;
    before = Buffer.from(buffer.subarray(Math.max(0, bytesRead - overlap), bytesRead));
    position += bytesRead;
  }
}
