import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../deliveries/mail/folder.ts';
import type { AuditRow } from '../store/tables.ts';

/**
 * What was erased, as keyed hashes in a file beside the database: a backup that was taken before knows nothing of it, and
 * must not bring it back.
 */
export type Ledger = {
  place: string;
  /** On the disk when it resolves. */
  append(rows: readonly AuditRow[]): Promise<void>;
  read(): Promise<AuditRow[]>;
};

export function createLedger(dataDir: string): Ledger {
  const place = join(dataDir, 'erasures.ndjson');
  return {
    place,
    async append(rows) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await using file = await open(place, 'a+', 0o600);
      const lines = rows.map(row => `${JSON.stringify(row)}\n`).join('');
      await file.writeFile((await isTorn(file)) ? `\n${lines}` : lines);
      await file.sync();
      await syncFolder(dataDir);
    },
    read: () => readLedger(place),
  };
}

/** What a full disk or a power cut left of a line must not take the next one with it. */
async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

/** A line that a power cut left torn was never promised. */
export async function readLedger(file: string): Promise<AuditRow[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap(line => {
    try {
      const row = JSON.parse(line) as AuditRow;
      return row !== null && typeof row.hash === 'string' ? [row] : [];
    } catch {
      return [];
    }
  });
}
