import { expect } from 'vitest';
import { openStore, type Store } from '../../src/core/database/open-store.ts';
import { createMessages } from '../../src/features/messages/messages.ts';
import { createConsentTexts } from '../../src/features/newsletter/consent-texts.ts';
import { createNewsletterIssues } from '../../src/features/newsletter/newsletter-issues.ts';
import { createSignUps } from '../../src/features/newsletter/sign-ups.ts';
import { createSubscribers } from '../../src/features/newsletter/subscribers.ts';
import type { TestDatabase } from './databases.ts';
import { testConfig } from './site.ts';

/** A store with the queries of the features. */
export type TestStore = ReturnType<typeof withQueries>;

export function withQueries(store: Store) {
  const { db, group } = store;
  return {
    ...store,
    messages: createMessages(group),
    signUps: createSignUps(group),
    subscribers: createSubscribers(db),
    consentTexts: createConsentTexts(db),
    newsletterIssues: createNewsletterIssues(db),
  };
}

export async function openTestStore(options: Parameters<typeof openStore>[0]): Promise<TestStore> {
  return withQueries(await openStore(options));
}

/** Two stores on one new database, as in two processes. */
export async function openTwoStores(create: () => Promise<TestDatabase>) {
  const database = await create();
  const open = () =>
    openTestStore({ ...testConfig(database.env), onError: error => expect.unreachable(error.message) });
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
