import { execFile } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { testConfig } from '../../tests/harness/site.ts';
import { migrationNames } from './migrate.ts';
import { openStore, type Store } from './open-store.ts';
import type { MessageRow } from './tables.ts';

const row: MessageRow & { receivers: string[] } = {
  reference: 'AAAAA-BBBBB',
  received_at: '2026-01-02T03:04:05.678Z',
  state: 'new',
  name: 'Zoë 👩🏽‍💻',
  email: 'zoe@example.com',
  message: "line one\r\nline two\t'; drop table messages; --\u202eright to left",
  service: '',
  idempotency_key: null,
  quarantine_reason: '',
  receivers: [],
};

describe.each(databases)('the store on $name', ({ name, create }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await create();
  });
  afterEach(() => database.remove());

  function open(): Promise<Store> {
    return openStore({ ...testConfig(database.env), onError: error => expect.unreachable(error.message) });
  }

  test('stores a message unchanged, across a restart', async () => {
    const before = await open();
    await before.messages.add(row);
    await before.close();
    const after = await open();
    const { receivers: _, ...stored } = row;
    expect(await after.messages.get(row.reference)).toEqual(stored);
    await after.close();
  });

  test('rejects a second message with the same reference', async () => {
    const store = await open();
    await store.messages.add(row);
    await expect(store.messages.add({ ...row, name: 'another' })).rejects.toThrow();
    expect((await store.messages.get(row.reference))?.name).toBe(row.name);
    await store.close();
  });

  test('is migrated once when several processes open it concurrently', async () => {
    const script = `
      import { openStore } from ${JSON.stringify(new URL('open-store.ts', import.meta.url).href)};
      const store = await openStore({ ...JSON.parse(process.argv[1]), onError: console.error });
      await store.assertWritable();
      await store.close();`;
    const options = JSON.stringify({ dataDir: database.dataDir, databaseUrl: database.env.DATABASE_URL });
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, options]);
    await Promise.all([run(), run(), run(), run()]);
  });

  test('is rejected unchanged when it is newer than the code', async () => {
    await (await open()).close();
    await database.query("insert into migrations values ('999-from-tomorrow', '2030-01-01T00:00:00.000Z')");
    await expect(open()).rejects.toThrow(
      'The database is newer than this version of the site: it has 999-from-tomorrow',
    );
    expect(await database.query('select name from migrations order by name')).toHaveLength(
      migrationNames.length + 1,
    );
  });

  test('reports settings that reduce its durability', async () => {
    const store = await open();
    // The tests' PostgreSQL is set not to wait for its disk.
    const warnings =
      name === 'SQLite' ? [] : ['PostgreSQL runs with fsync off: a power cut may lose answered messages'];
    expect(store.durabilityWarnings).toEqual(warnings);
    await store.close();
  });

  test('checks repeatedly that it can write', async () => {
    const store = await open();
    await store.assertWritable();
    await store.assertWritable();
    await store.close();
    await expect(store.assertWritable()).rejects.toThrow();
  });
});

test('a PostgreSQL URL is shown without its password', async () => {
  const opening = openStore({
    dataDir: '',
    databaseUrl: 'postgres://someone:secret@127.0.0.1:1/name',
    onError: () => undefined,
  });
  await expect(opening).rejects.toThrow(/ECONNREFUSED/);
  await expect(opening).rejects.not.toThrow(/secret/);
});

test('the database files are readable by their user only', async () => {
  const { dataDir, remove } = await (databases[0] as (typeof databases)[number]).create();
  const folder = join(dataDir, 'new');
  const store = await openStore({ dataDir: folder, databaseUrl: undefined, onError: () => undefined });
  await store.messages.add(row);
  const modes = ['', 'wardhouse.sqlite', 'wardhouse.sqlite-wal'].map(
    file => statSync(join(folder, file)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o600]);
  await store.close();
  await remove();
});

test('a file in place of the data folder is rejected', async () => {
  const { dataDir, remove } = await (databases[0] as (typeof databases)[number]).create();
  writeFileSync(join(dataDir, 'taken'), '');
  const opening = openStore({
    dataDir: join(dataDir, 'taken'),
    databaseUrl: undefined,
    onError: () => undefined,
  });
  await expect(opening).rejects.toThrow(/EEXIST|ENOTDIR/);
  await remove();
});

test('a file that is not a database is rejected unchanged', async () => {
  const { dataDir, remove } = await (databases[0] as (typeof databases)[number]).create();
  const file = join(dataDir, 'wardhouse.sqlite');
  writeFileSync(file, 'these are the words of somebody else, long enough to be looked at');
  const opening = openStore({ dataDir, databaseUrl: undefined, onError: () => undefined });
  await expect(opening).rejects.toThrow(/not a database/);
  expect(readFileSync(file, 'utf8')).toMatch(/^these are the words/);
  await remove();
});

test.each(['removed', 'replaced'])(
  'a database that is %s while it is open accepts no more writes, and reports why',
  async how => {
    const { dataDir, remove } = await (databases[0] as (typeof databases)[number]).create();
    const failures: string[] = [];
    const store = await openStore({
      dataDir,
      databaseUrl: undefined,
      onError: error => expect.unreachable(error.message),
      onFailure: error => failures.push(error.message),
    });
    await store.messages.add(row);
    rmSync(join(dataDir, 'wardhouse.sqlite'));
    if (how === 'replaced') writeFileSync(join(dataDir, 'wardhouse.sqlite'), '');
    await expect(store.messages.add({ ...row, reference: 'CCCCC-DDDDD' })).rejects.toThrow(
      'removed or replaced',
    );
    await expect(store.assertWritable()).rejects.toThrow();
    expect(failures).toHaveLength(1);
    await store.close();
    await remove();
  },
);
