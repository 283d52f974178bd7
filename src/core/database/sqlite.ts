import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
import { makeFolder } from '../files.ts';
import type { Batch } from './query-helpers.ts';
import type {
  Query,
  Result,
  ThreadOptions,
  ThreadRequest,
  ThreadResponse,
  ThreadTask,
} from './sqlite-thread.ts';
import type { Tables } from './tables.ts';

export class SqliteError extends Error {
  readonly errcode: number;
  constructor(message: string, errcode: number) {
    super(message);
    this.errcode = errcode;
  }
}

type SqliteOptions = { isExclusive?: boolean; onCommit?: ((ms: number) => void) | undefined };

export function databaseFile(dataDir: string): string {
  return join(dataDir, 'wardhouse.sqlite');
}

/** The file that there should be. */
export function findMissingDatabase(config: {
  dataDir: string;
  databaseUrl: string | undefined;
}): string | undefined {
  const file = databaseFile(config.dataDir);
  return config.databaseUrl || existsSync(file) ? undefined : file;
}

export function restoringFolder(dataDir: string): string {
  return join(dataDir, 'restoring');
}

/** Calls `onFatalError` when the database can no longer be trusted. */
export async function openSqlite(
  location: string,
  onFatalError: (error: Error) => void,
  { isExclusive = false, onCommit }: SqliteOptions = {},
) {
  await makeFolder(dirname(location));
  // Readable by this user alone; SQLite gives its WAL the same mode.
  closeSync(openSync(location, 'a', 0o600));
  const thread = await startThread({ location, isExclusive }, onFatalError, onCommit);
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(thread),
      createIntrospector: introspected => new SqliteIntrospector(introspected),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  return { db, location, batch: createThreadBatch(db, thread), durabilityWarnings: [] as string[] };
}

function createThreadBatch(db: Kysely<Tables>, thread: Thread): Batch {
  return queries =>
    db.connection().execute(async () => {
      const statements = queries.map(({ sql, parameters }) => ({
        sql,
        values: parameters as SQLInputValue[],
      }));
      return (await thread.run(statements, true)).map(toQueryResult);
    });
}

function toQueryResult({ rows, changes }: Result): QueryResult<unknown> {
  return { rows, numAffectedRows: BigInt(changes) };
}

type Thread = {
  run(queries: Query[], isTransaction?: boolean): Promise<Result[]>;
  close(): Promise<void>;
};

async function startThread(
  opening: ThreadOptions,
  onFailure: (error: Error) => void,
  onCommit: SqliteOptions['onCommit'],
): Promise<Thread> {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
    workerData: opening,
    execArgv: [],
  });
  const waiting = new Map<number, PromiseWithResolvers<Result[]>>();
  let lastId = 0;
  let ended: Error | undefined;
  let isOpen = false;

  function end(error: Error): void {
    if (ended) return;
    ended = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function fail(error: Error): void {
    end(error);
    if (isOpen) onFailure(error);
  }

  worker.on('message', (response: ThreadResponse) => {
    const waiter = waiting.get(response.id);
    waiting.delete(response.id);
    if ('error' in response) {
      const error = new SqliteError(response.error.message, response.error.errcode);
      waiter?.reject(error);
      if (isFatal(error)) fail(error);
    } else {
      if (response.commitMs !== undefined) onCommit?.(response.commitMs);
      waiter?.resolve(response.results);
    }
  });
  worker.on('error', fail);
  worker.on('exit', () => end(new Error('the database is closed')));

  function send(task: ThreadTask): Promise<Result[]> {
    if (ended) return Promise.reject(ended);
    const waiter = Promise.withResolvers<Result[]>();
    lastId += 1;
    waiting.set(lastId, waiter);
    worker.postMessage({ id: lastId, ...task } satisfies ThreadRequest);
    return waiter.promise;
  }

  await send({ queries: [{ sql: 'select 1', values: [] }] });
  isOpen = true;
  return {
    run: (queries, isTransaction = false) => send({ queries, isTransaction }),
    async close() {
      if (ended) await worker.terminate();
      else await send({ close: true });
    },
  };
}

/** After a failed read, write or fsync the contents of the disk are known only after a restart. */
function isFatal({ errcode }: SqliteError): boolean {
  const [ioError, corrupt, notADatabase] = [10, 11, 26];
  return [ioError, corrupt, notADatabase].includes(errcode & 0xff);
}

/** One connection, which Kysely lends to one query at a time. Every transaction writes, so each takes the lock at once. */
function createDriver(thread: Thread): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery) {
      const [result] = await thread.run([{ sql, values: parameters as SQLInputValue[] }]);
      return toQueryResult(result as Result) as QueryResult<R>;
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
