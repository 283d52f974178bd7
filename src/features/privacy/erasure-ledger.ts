import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AuditRow, auditActions } from '../../core/database/tables.ts';
import { makeFolder, syncFolder } from '../../core/files.ts';

/** Erasures as keyed hashes in a file beside the database, so that an older backup does not bring anything back. */
export function createLedger(dataDir: string) {
  const path = join(dataDir, 'erasures.ndjson');
  return {
    path,
    async append(rows: readonly AuditRow[]): Promise<void> {
      if (rows.length === 0) return;
      await makeFolder(dataDir);
      await using file = await open(path, 'a+', 0o600);
      const lines = rows.map(row => `${JSON.stringify(row)}\n`).join('');
      await file.writeFile((await isTorn(file)) ? `\n${lines}` : lines);
      await file.sync();
      await syncFolder(dataDir);
    },
  };
}

async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

/** A process killed while it writes leaves a torn last line, whose erasure was not acknowledged: it does not count as damaged. */
export async function readErasures(file: string) {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const torn = lines.pop();
  const rows = lines.filter(Boolean).map(parseErasure);
  const last = torn ? parseErasure(torn) : undefined;
  const readable = [...rows, last].filter(row => row !== undefined);
  return { rows: readable, unreadable: rows.filter(row => row === undefined).length };
}

function parseErasure(line: string): AuditRow | undefined {
  try {
    const row = JSON.parse(line) as Record<keyof AuditRow, unknown> | null;
    const values = [row?.hash, row?.action, row?.done_at, row?.counts];
    const isRow = values.every(value => typeof value === 'string' && !value.includes('\0'));
    return isRow && auditActions.some(action => action === row?.action) ? (row as AuditRow) : undefined;
  } catch {
    return undefined;
  }
}
