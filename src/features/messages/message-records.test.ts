import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { openTestStore } from '../../../tests/harness/stores.ts';
import { databaseFile } from '../../core/database/sqlite.ts';
import { containsErasedData } from '../../core/database/storage-cleanup.ts';

test('no bytes of a row stay where it was before SQLite moved it', async () => {
  await using database = await (databases[0] as (typeof databases)[number]).create();
  const { dataDir } = database;
  const onError = (error: Error) => expect.unreachable(error.message);
  const store = await openTestStore({ dataDir, databaseUrl: undefined, onError });
  const erase = (references: string[]) =>
    store.messages.eraseMessages({ references, redacted: [], notes: [], notices: [] });
  const file = databaseFile(dataDir);
  const places = (at: number) => readFileSync(file, 'latin1').split(`P${at}-x@example.com`).length - 1;
  const messages = Array.from({ length: 1500 }, (_, at) =>
    newMessage({ email: `P${at}-x@example.com`, message: 'x'.repeat((at * 7919) % 600) }),
  );
  await Promise.all(messages.map(store.messages.add));
  const isOld = (at: number) => (at * 7907) % 1500 < 900;
  await erase(messages.filter((_, at) => isOld(at)).map(({ reference }) => reference));
  await store.storage.cleanUp();
  const moved = messages.findIndex((_, at) => !isOld(at) && places(at) > 1);
  const { reference, email } = messages[moved] ?? expect.unreachable('no row was moved');
  await erase([reference]);
  await store.storage.cleanUp();
  expect(places(moved)).toBeGreaterThan(0);
  // By either: a part of what is there may have been overwritten.
  const isThere = (address: string, ...references: string[]) =>
    containsErasedData(file, { address, references: new Set(references) });
  expect(await isThere('nobody@example.com', 'AAAAA-00000')).toBe(false);
  expect(await isThere('nobody@example.com', reference)).toBe(true);
  expect(await isThere(email.toLowerCase())).toBe(true);
  const gone = { address: email.toLowerCase(), references: new Set([reference]) };
  expect(await store.storage.cleanUp(gone)).toEqual({ kind: 'sqlite', isClean: true });
  expect(places(moved)).toBe(0);
  await store.close();
});
