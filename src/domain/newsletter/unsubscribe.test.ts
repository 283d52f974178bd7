import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../../tests/harness/databases.ts';
import { testConfig } from '../../../tests/harness/site.ts';
import { randomIds } from '../../lib/ids.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import { admitBatch } from './admit-batch.ts';
import { unsubscribeById } from './unsubscribe.ts';

const day = 24 * 3600;
const at = (second: number) => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();

// SQLite serialises its transactions.
describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))(
  'unsubscribing while sign-ups are admitted',
  ({ create }) => {
    let database: TestDatabase;
    let store: Store;
    beforeEach(async () => {
      database = await create();
      store = await openStore({
        ...testConfig(database.env),
        onError: error => expect.unreachable(error.message),
      });
    });
    afterEach(async () => {
      await store.close();
      await database.remove();
    });

    const admit = () =>
      admitBatch(store.subscribers, {
        now: at(20),
        notMailedSince: at(20 - day),
        countedSince: at(20 - 3600),
        maxPerHour: 100,
        maxSignUps: 100,
        reference: randomIds.reference,
        mailboxPseudonym: address => address,
      });

    test('an address that signed up again and unsubscribes gets no mail, without a deadlock', async () => {
      await database.query(
        `insert into subscribers (id, address, state, unsubscribed_at) values ('zoe', 'zoe@example.com', 'unsubscribed', '${at(0)}')`,
      );
      const request = {
        id: 'r1',
        subscriber: 'zoe',
        address: 'zoe@example.com',
        form: 'home',
        consent_text: 'w1',
        network: 'unknown',
      };
      await store.signUps.add({ ...request, requested_at: at(10) });
      const other = new pg.Client({ connectionString: database.env.DATABASE_URL });
      await other.connect();
      await other.query('begin');
      await other.query('select 1 from sign_ups for update');
      const unsubscribing = unsubscribeById(store.subscribers, 'zoe', at(20));
      await wait(150);
      const looking = admit();
      await wait(150);
      await other.query('commit');
      await other.end();
      const ends = await Promise.allSettled([unsubscribing, looking]);
      expect(ends.map(end => (end.status === 'rejected' ? String(end.reason) : 'done'))).toEqual([
        'done',
        'done',
      ]);
      expect((await store.subscribers.get('zoe'))?.state).toBe('unsubscribed');
      expect(await store.outbox.count({ states: ['waiting'] })).toBe(0);
    });
  },
);
