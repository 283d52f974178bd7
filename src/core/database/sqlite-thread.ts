import { statSync, utimesSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread that owns the SQLite file, so that a commit that waits for the disk does not block the server. */

export type Query = { sql: string; values: SQLInputValue[] };
export type Result = { rows: Record<string, unknown>[]; changes: number };

export type ThreadTask = { queries: Query[]; isTransaction?: boolean } | { close: true };
export type ThreadRequest = { id: number } & ThreadTask;
export type ThreadResponse =
  | { id: number; results: Result[]; commitMs?: number }
  | { id: number; error: { message: string; errcode: number } };

export type ThreadOptions = { location: string; isExclusive: boolean };

const { location, isExclusive } = workerData as ThreadOptions;
const database = open(location);
const opened = statSync(location);
const prepared = new Map<string, StatementSync>();
let commitMs: number | undefined;
let changesBefore: unknown;
let changesChecked: unknown = 0;

parentPort?.on('message', (request: ThreadRequest) => {
  parentPort?.postMessage(handleRequest(request));
  if ('close' in request) parentPort?.close();
});

function open(path: string): DatabaseSync {
  const opened = new DatabaseSync(path, { timeout: isExclusive ? 500 : 5000 });
  // Before the WAL is opened: then SQLite locks the whole file, and fails where another process has it.
  if (isExclusive) opened.exec('PRAGMA locking_mode = EXCLUSIVE');
  opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
  // A checkpoint takes two more fsyncs: at 16 MB of WAL they come a quarter as often as by default.
  opened.exec('PRAGMA wal_autocheckpoint = 4000');
  assertDurable(opened);
  return opened;
}

/** 200 means stored only with these settings: a build of SQLite that ignores them is refused. */
function assertDurable(opened: DatabaseSync): void {
  const journal = opened.prepare('PRAGMA journal_mode').get()?.journal_mode;
  const synchronous = opened.prepare('PRAGMA synchronous').get()?.synchronous;
  const erases = opened.prepare('PRAGMA secure_delete').get()?.secure_delete;
  if (journal !== 'wal' || synchronous !== 2 || erases !== 1) {
    throw new Error(
      `SQLite runs with journal_mode ${journal}, synchronous ${synchronous} and secure_delete ${erases}, not wal, FULL and ON`,
    );
  }
}

function handleRequest(request: ThreadRequest): ThreadResponse {
  const { id } = request;
  try {
    if ('close' in request) {
      database.close();
      return { id, results: [] };
    }
    assertSameFile();
    commitMs = undefined;
    const results = request.isTransaction ? runInTransaction(request.queries) : request.queries.map(run);
    assertDiskWritable();
    return commitMs === undefined ? { id, results } : { id, results, commitMs };
  } catch (error) {
    const { message, errcode = 0 } = error as Error & { errcode?: number };
    return { id, error: { message, errcode } };
  }
}

const ioError = 10;

/** A file that was removed or replaced can still be written to, but is gone when this process ends. */
function assertSameFile(): void {
  const found = statSync(location, { throwIfNoEntry: false });
  if (found?.ino === opened.ino && found.dev === opened.dev) return;
  throw Object.assign(new Error(`${location} was removed or replaced while it was open`), {
    errcode: ioError,
  });
}

/** An fsync may succeed although ext4 has aborted its journal; touching a file then fails, at latest the second time. */
function assertDiskWritable(): void {
  if (database.isTransaction || countChanges() === changesChecked) return;
  changesChecked = countChanges();
  const now = new Date();
  try {
    utimesSync(location, now, now);
    utimesSync(location, now, now);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A process that may write another user's file may not touch it: that says nothing about the disk.
    if (!['EROFS', 'EIO'].includes(code)) return;
    const message = `${location} is on a disk that takes no more: what was written last may be gone (${code})`;
    throw Object.assign(new Error(message), { errcode: ioError });
  }
}

function runInTransaction(queries: Query[]): Result[] {
  begin();
  try {
    const results = queries.map(run);
    commit();
    return results;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function begin(): void {
  database.exec('begin immediate');
  changesBefore = countChanges();
}

function commit(): void {
  const isChanged = countChanges() !== changesBefore;
  const started = performance.now();
  database.exec('commit');
  if (isChanged) commitMs = performance.now() - started;
}

function countChanges(): unknown {
  return prepare('select total_changes() as total').get()?.total;
}

function run({ sql, values }: Query): Result {
  if (sql === 'begin immediate' || sql === 'commit') {
    if (sql === 'commit') commit();
    else begin();
    return { rows: [], changes: 0 };
  }
  // SQLite rolls some failures back by itself.
  if (sql === 'rollback' && !database.isTransaction) return { rows: [], changes: 0 };
  const statement = prepare(sql);
  if (statement.columns().length > 0) return { rows: statement.all(...values), changes: 0 };
  return { rows: [], changes: Number(statement.run(...values).changes) };
}

function prepare(sql: string): StatementSync {
  const known = prepared.get(sql);
  if (known) return known;
  if (prepared.size >= 300) prepared.clear();
  const statement = database.prepare(sql);
  prepared.set(sql, statement);
  return statement;
}
