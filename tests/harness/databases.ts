import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';

/** The settings of an empty database, which is removed at the end of its scope or by `remove`. */
export type TestDatabase = AsyncDisposable & {
  env: Record<string, string>;
  dataDir: string;
  /** Past the store: what a test must see or set with its own eyes and hands. */
  query(statement: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
};

type DatabaseKind = { name: string; create(): Promise<TestDatabase> };

/** Where SQL or leases are tested: `describe.each(databases)` runs a suite on each. */
export const databases: DatabaseKind[] = [
  { name: 'SQLite', create: async () => withFolder({}, querySqlite, async () => undefined) },
  { name: 'PostgreSQL', create: () => createPostgres(process.env.TEST_POSTGRES_URL ?? '') },
];

/** Everything above the store: SQLite, or the one that TEST_DATABASE names (`npm run proof -- postgres`). */
export const databaseUnderTest: DatabaseKind[] = databases.filter(
  ({ name }) => name === (process.env.TEST_DATABASE ?? 'SQLite'),
);

/** A database in a server that is there already. */
export async function createPostgres(server: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(`${server}/postgres`, `create database ${name}`);
  return withFolder(
    { DATABASE_URL: `${server}/${name}` },
    (_, statement) => run(`${server}/${name}`, statement),
    () => run(`${server}/postgres`, `drop database ${name} with (force)`),
  );
}

function withFolder(
  env: Record<string, string>,
  query: (dataDir: string, statement: string) => Promise<Record<string, unknown>[]>,
  drop: () => Promise<unknown>,
): TestDatabase {
  const dataDir = mkdtempSync(join(tmpdir(), 'wardhouse-data-'));
  async function remove() {
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return {
    env: { DATA_DIR: dataDir, ...env },
    dataDir,
    query: statement => query(dataDir, statement),
    remove,
    [Symbol.asyncDispose]: remove,
  };
}

/** A transaction of the store in this process cannot end while this one waits within a call: it waits between them. */
async function querySqlite(dataDir: string, statement: string): Promise<Record<string, unknown>[]> {
  for (let tries = 0; ; tries++) {
    const file = new DatabaseSync(join(dataDir, 'wardhouse.sqlite'), { timeout: 50 });
    try {
      return file.prepare(statement).all();
    } catch (error) {
      if (tries === 200 || !/database is locked/.test((error as Error).message)) throw error;
    } finally {
      file.close();
    }
    await nextTurn();
  }
}

async function run(address: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
