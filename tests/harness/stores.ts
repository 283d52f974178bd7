import { expect } from 'vitest';
import { openStore } from '../../src/core/database/open-store.ts';
import type { TestDatabase } from './databases.ts';
import { testConfig } from './site.ts';

/** Two stores on one new database, as in two processes. */
export async function openTwoStores(create: () => Promise<TestDatabase>) {
  const database = await create();
  const open = () =>
    openStore({ ...testConfig(database.env), onError: error => expect.unreachable(error.message) });
  const [store, other] = [await open(), await open()];
  return {
    ...{ database, store, other },
    async close() {
      await store.close();
      await other.close();
      await database.remove();
    },
  };
}
