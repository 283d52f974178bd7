import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { newMessage, toMessageRow } from '../../../tests/harness/sample-message.ts';
import { testConfig } from '../../../tests/harness/site.ts';
import { openTestStore } from '../../../tests/harness/stores.ts';
import { migrationNames } from './migrate.ts';

const message = newMessage({
  message: "line one\r\nline two\t'; drop table messages; --\u202eright to left",
});
const createSqlite = (databases[0] as (typeof databases)[number]).create;

test.each(databases)(
  'opened four times at once, $name is migrated once, and rejected when it is newer',
  async ({ name, create }) => {
    await using database = await create();
    const onError = (error: Error) => expect.unreachable(error.message);
    const open = () => openTestStore({ ...testConfig(database.env), onError });
    const opened = await Promise.all([open(), open(), open(), open()]);
    for (const store of opened) await store.assertWritable();
    await opened[0]?.messages.add(message);
    for (const store of opened) await store.close();
    const store = await open();
    expect(await store.messages.get(message.reference)).toEqual(toMessageRow(message));
    // The tests' PostgreSQL is set not to wait for its disk.
    const expected = name === 'SQLite' ? [] : [expect.stringContaining('fsync')];
    expect(store.durabilityWarnings).toEqual(expected);
    await store.close();

    await database.query("insert into migrations values ('999-from-tomorrow', '2030-01-01T00:00:00.000Z')");
    await expect(open()).rejects.toThrow('it is of a newer version of the site (999-from-tomorrow)');
    expect(await database.query('select name from migrations')).toHaveLength(migrationNames.length + 1);
  },
);

test.each(['removed', 'replaced'])(
  'a database file is private, and when it is %s while it is open it accepts no more writes, and reports why',
  async how => {
    await using database = await createSqlite();
    const dataDir = join(database.dataDir, 'new');
    const failures: string[] = [];
    const store = await openTestStore({
      dataDir,
      databaseUrl: undefined,
      onError: error => expect.unreachable(error.message),
      onFatalError: error => failures.push(error.message),
    });
    await store.messages.add(message);
    const files = ['', 'wardhouse.sqlite', 'wardhouse.sqlite-wal'].map(file => join(dataDir, file));
    expect(files.map(file => statSync(file).mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
    rmSync(join(dataDir, 'wardhouse.sqlite'));
    if (how === 'replaced') writeFileSync(join(dataDir, 'wardhouse.sqlite'), '');
    await expect(store.messages.add(newMessage())).rejects.toThrow('removed or replaced');
    await expect(store.assertWritable()).rejects.toThrow();
    expect(failures).toHaveLength(1);
    await store.close();
  },
);
