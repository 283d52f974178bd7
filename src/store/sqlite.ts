import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { makeFolder } from '../lib/files.ts';
import type { Batch } from './batch.ts';
import type { Answer, Asked, Opening, Query, Question, Result } from './sqlite-thread.ts';
import type { Tables } from './tables.ts';

/** An error of SQLite's, with its number. */
export class SqliteError extends Error {
  readonly errcode: number;
  constructor(message: string, errcode: number) {
    super(message);
    this.errcode = errcode;
  }
}

/** `onDisk` is told how long each commit waited for the disk. */
type SqliteOptions = { isAlone?: boolean; onDisk?: ((ms: number) => void) | undefined };

export function databaseFile(dataDir: string): string {
  return join(dataDir, 'wardhouse.sqlite');
}

/** Opens, or makes, the file in its own thread. `onFailure` is told when what it says can no longer be believed. */
export async function openSqlite(
  dataDir: string,
  onFailure: (error: Error) => void,
  { isAlone = false, onDisk }: SqliteOptions = {},
) {
  await makeFolder(dataDir);
  const place = databaseFile(dataDir);
  // SQLite gives its log the mode of the database: what visitors wrote is for this user's eyes alone.
  closeSync(openSync(place, 'a', 0o600));
  const thread = await startThread({ place, isAlone }, onFailure, onDisk);
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(thread),
      createIntrospector: introspected => new SqliteIntrospector(introspected),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return { db, place, batch: createThreadBatch(db, thread), doubts: [] as string[] };
}

/** Begun, carried out and committed within the thread: one question and one answer for all of it. */
function createThreadBatch(db: Kysely<Tables>, thread: Thread): Batch {
  return queries =>
    db.connection().execute(async () => {
      const asked = queries.map(({ sql, parameters }) => ({ sql, values: parameters as SQLInputValue[] }));
      return (await thread.askTogether(asked)).map(toQueryResult);
    });
}

function toQueryResult({ rows, changes }: Result): QueryResult<unknown> {
  return { rows, numAffectedRows: BigInt(changes) };
}

type Thread = {
  ask(sql: string, values?: readonly unknown[]): Promise<Result>;
  askTogether(queries: Query[]): Promise<Result[]>;
  close(): Promise<void>;
};

async function startThread(
  opening: Opening,
  onFailure: (error: Error) => void,
  onDisk: SqliteOptions['onDisk'],
): Promise<Thread> {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
    workerData: opening,
    // The options of this process may name another entry than the thread's.
    execArgv: [],
  });
  const waiting = new Map<number, PromiseWithResolvers<Result[]>>();
  let asked = 0;
  let ended: Error | undefined;
  let isOpen = false;

  function end(error: Error): void {
    if (ended) return;
    ended = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  worker.on('message', (answer: Answer) => {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) {
      const error = new SqliteError(answer.error.message, answer.error.errcode);
      asker?.reject(error);
      if (isBroken(error)) {
        end(error);
        if (isOpen) onFailure(error);
      }
    } else {
      if (answer.commitMs !== undefined) onDisk?.(answer.commitMs);
      asker?.resolve(answer.results);
    }
  });
  worker.on('error', (error: Error) => {
    end(error);
    if (isOpen) onFailure(error);
  });
  worker.on('exit', () => end(new Error('the database is closed')));

  function ask(question: Asked): Promise<Result[]> {
    if (ended) return Promise.reject(ended);
    const asker = Promise.withResolvers<Result[]>();
    asked += 1;
    waiting.set(asked, asker);
    worker.postMessage({ id: asked, ...question } satisfies Question);
    return asker.promise;
  }

  // The first answer says that the thread could open the file.
  await ask({ queries: [{ sql: 'select 1', values: [] }] });
  isOpen = true;
  return {
    async ask(sql, values = []) {
      const [result] = await ask({ queries: [{ sql, values: values as SQLInputValue[] }] });
      return result as Result;
    },
    askTogether: queries => ask({ queries, isTransaction: true }),
    async close() {
      if (ended) await worker.terminate();
      else await ask({ close: true });
    },
  };
}

/** After a failed read, write or fsync nobody knows what the disk holds: only a fresh start can tell. */
function isBroken({ errcode }: SqliteError): boolean {
  const [ioError, corrupt, notADatabase] = [10, 11, 26];
  return [ioError, corrupt, notADatabase].includes(errcode & 0xff);
}

/** One connection, which Kysely hands to one user at a time. Every transaction writes, so each takes the lock when it begins. */
function createDriver(thread: Thread): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      return toQueryResult(await thread.ask(sql, parameters)) as QueryResult<R>;
    },
    // biome-ignore lint/correctness/useYield: a list that long is read page by page
    async *streamQuery() {
      throw new Error('SQLite is read page by page');
    },
  };
  const run = async (sql: string) => void (await connection.executeQuery(CompiledQuery.raw(sql)));
  return {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: () => run('rollback'),
    releaseConnection: async () => undefined,
    destroy: () => thread.close(),
  };
}
