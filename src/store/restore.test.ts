import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { testConfig } from '../../tests/harness/site.ts';
import type { Row } from './dumped-tables.ts';
import { openStore } from './open.ts';
import { InUse, openTarget } from './restore.ts';

const secret = (name: string): Row => ({ name, value: 'x', created_at: 'then' });

describe.each(databases)('restoring on $name', ({ name, create }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await create();
    await using target = await open();
    await target.replace(insert => insert('secrets', [secret('before')]));
  });
  afterAll(() => database.remove());

  const onError = (error: Error) => expect.unreachable(error.message);
  const open = () => openTarget({ ...testConfig(database.env), onError });
  const found = async () => {
    await using target = await open();
    return await target.look();
  };

  test('replaces what was there, and says what that is', async () => {
    const audit = { hash: 'h', action: 'erase', done_at: 'then', counts: '{}' };
    {
      await using target = await open();
      await target.replace(async insert => {
        await insert('secrets', [secret('before'), secret('newsletter')]);
        await insert('audit', [audit]);
        await insert('secrets', []);
      });
    }
    expect(await found()).toMatchObject({
      counts: { secrets: 2, audit: 1, messages: 0 },
      audit: [audit],
      secrets: { before: 'x', newsletter: 'x' },
    });
  });

  test('that fails leaves everything as it was', async () => {
    const before = await found();
    {
      await using target = await open();
      const failing = target.replace(async insert => {
        await insert('secrets', [secret('after')]);
        await insert('secrets', [secret('after')]);
      });
      await expect(failing).rejects.toThrow(/unique/i);
    }
    expect(await found()).toEqual(before);
  });

  test('that is killed half-way leaves everything as it was', async () => {
    const before = await found();
    const script = `
      import { openTarget } from ${JSON.stringify(import.meta.resolve('./restore.ts'))};
      const target = await openTarget(${JSON.stringify({ dataDir: database.dataDir, databaseUrl: database.env.DATABASE_URL })});
      await target.replace(async insert => {
        for (let page = 0; page < 40; page += 1) {
          await insert('secrets', Array.from({ length: 500 }, (_, n) =>
            ({ name: page + ' ' + n, value: 'x'.repeat(500), created_at: 'then' })));
        }
        process.stdout.write('half-way');
        await new Promise(resolve => setTimeout(resolve, 60_000));
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    // The server ends such a transaction by itself, once it knows.
    await expect.poll(async () => await found()).toEqual(before);
  });

  test('beside somebody else is found out', async () => {
    const store = await openStore({ ...testConfig(database.env), onError });
    try {
      if (name === 'SQLite') await expect(open()).rejects.toThrow(InUse);
      else {
        await using target = await open();
        expect(new Set(await target.listOthers())).toEqual(new Set(['wardhouse']));
      }
    } finally {
      await store.close();
    }
    await using target = await open();
    expect(await target.listOthers()).toEqual([]);
  });
});
