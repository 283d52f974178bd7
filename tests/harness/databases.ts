import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';

/** The settings of an empty database, and the way to be rid of it. */
export type TestDatabase = { env: Record<string, string>; dataDir: string; remove(): Promise<void> };

/** Both databases of the house: `describe.each(databases)` runs a suite on each. */
export const databases: { name: string; create(): Promise<TestDatabase> }[] = [
  { name: 'SQLite', create: async () => withFolder({}, async () => undefined) },
  { name: 'PostgreSQL', create: createPostgres },
];

async function createPostgres(): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(server, `create database ${name}`);
  return withFolder({ DATABASE_URL: `${server}/${name}` }, () =>
    run(server, `drop database ${name} with (force)`),
  );
}

function withFolder(env: Record<string, string>, drop: () => Promise<unknown>): TestDatabase {
  const dataDir = mkdtempSync(join(tmpdir(), 'wardhouse-data-'));
  return {
    env: { DATA_DIR: dataDir, ...env },
    dataDir,
    async remove() {
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function run(server: string, query: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(query);
  await client.end();
}
