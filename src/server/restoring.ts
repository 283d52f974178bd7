import { readFile } from 'node:fs/promises';
import { systemClock } from '../lib/clock.ts';
import { dumpedTables } from '../store/dumped-tables.ts';
import { migrationNames } from '../store/migrate.ts';
import { openTarget, type Target } from '../store/restore.ts';
import { type AuditRow, auditActions } from '../store/tables.ts';
import type { Config } from './config.ts';
import { createProcessLog } from './wire.ts';

export { InUse } from '../store/restore.ts';
export type { AuditRow, Target };
export { systemClock };

/** What this version of the site can restore, known before any database is opened. */
export const known = { shapes: dumpedTables, migrations: migrationNames };

/** The configured database and nothing else: the whole of the site would make secrets that a backup brings. */
export function openForRestore(config: Config): Promise<Target> {
  const log = createProcessLog({ ...config, logLevel: 'error' });
  return openTarget({
    ...config,
    onError: error => log.error('database connection lost', { error: error.message }),
  });
}

export type Remembered = { rows: AuditRow[]; unreadable: number };

/** Erasures that a file remembers. A last line that a power cut left torn was never promised. */
export async function readErasures(file: string): Promise<Remembered> {
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
