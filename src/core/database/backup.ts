import { open } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { copyTables, type RowCounts, readPostgres } from './copy-tables.ts';
import { describeMismatch, migrate } from './migrate.ts';
import { tableNames } from './migrations/create-tables.ts';
import { databaseFile, openSqlite } from './sqlite.ts';

type OnError = (error: Error) => void;
type Source = { dataDir: string; databaseUrl: string | undefined; onError: OnError };

export async function writeBackup(
  { dataDir, databaseUrl, onError }: Source,
  file: string,
  createdAt: string,
): Promise<RowCounts> {
  if (databaseUrl) await writePostgres(databaseUrl, file, onError);
  else await snapshot(databaseFile(dataDir), file);
  using backup = new DatabaseSync(file);
  // Without a WAL it can be read where nothing can be written.
  backup.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL');
  backup.prepare(`insert or replace into scheduled_runs (name, done_at) values ('backup', ?)`).run(createdAt);
  const countRows = (name: string) => backup.prepare(`select count(*) as n from "${name}"`).get()?.n;
  return Object.fromEntries(tableNames.map(name => [name, Number(countRows(name))]));
}

async function writePostgres(url: string, file: string, onError: OnError): Promise<void> {
  const { db } = await openSqlite(file, onError);
  try {
    await migrate(db);
    await readPostgres(url, onError, from => db.transaction().execute(to => copyTables(from, to)));
  } finally {
    await db.destroy();
  }
}

/** All pages in one step: between steps, a write of another process would restart the backup. */
const allPages = 2 ** 31 - 1;

export async function snapshot(from: string, to: string, { isExclusive = false } = {}): Promise<void> {
  using source = new DatabaseSync(from, { readOnly: !isExclusive, timeout: isExclusive ? 500 : 5000 });
  if (isExclusive) source.exec('PRAGMA locking_mode = EXCLUSIVE; select 1 from sqlite_schema');
  await backup(source, to, { rate: allPages });
}

/** Returns when the backup was made, '' for a copy made by hand. */
export async function readBackupTime(file: string): Promise<string> {
  await using opened = await open(file);
  const { buffer } = await opened.read(Buffer.alloc(16), 0, 16, 0);
  if (buffer.toString('latin1') !== 'SQLite format 3\0') throw new Error('it is no SQLite file');
  try {
    using source = new DatabaseSync(file, { readOnly: true });
    const { integrity_check: found } = source.prepare('PRAGMA integrity_check').get() ?? {};
    if (found !== 'ok') throw new Error('it is damaged');
    const applied = source.prepare('select name from migrations').all();
    const mismatch = describeMismatch(applied.map(({ name }) => String(name)));
    if (mismatch) throw new Error(mismatch);
    return String(
      source.prepare("select done_at from scheduled_runs where name = 'backup'").get()?.done_at ?? '',
    );
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    if (errcode === 11) throw new Error('it is damaged, or cut off');
    throw /no such table/.test(message) ? new Error('it is a database of something else') : error;
  }
}
