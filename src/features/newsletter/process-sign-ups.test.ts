import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { databases, databaseUnderTest } from '../../../tests/harness/databases.ts';
import { openTwoStores } from '../../../tests/harness/stores.ts';
import { addSubscribers } from '../../../tests/harness/subscribers.ts';
import type { DeliveryState, SignUpRow, SubscriberRow } from '../../core/database/tables.ts';
import { randomIds } from '../../core/ids.ts';
import { confirmByTokenHash } from './confirm-subscriber.ts';
import { deletePendingSubscribers } from './delete-pending-subscribers.ts';
import { eraseSubscriberById } from './erase-subscriber-rows.ts';
import { expirePendingRows } from './expire-pending-subscribers.ts';
import { type BatchOptions, processBatch } from './process-sign-up-batch.ts';
import { unsubscribeSubscriberById } from './unsubscribe.ts';

const hour = 3600;
const day = 24 * hour;
/** A time, so many seconds after the beginning of the test. */
const at = (second: number) => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();

function signUp(subscriber: string, second = 0, about: Partial<SignUpRow> = {}): SignUpRow {
  return {
    ...{ id: randomIds.uuid(), subscriber, address: `${subscriber}@example.com`, form: 'home' },
    ...{ consent_text: 'w1', requested_at: at(second), network: 'unknown' },
    ...about,
  };
}
const many = (count: number, name: string, second = 0, about: Partial<SignUpRow> = {}) =>
  Array.from({ length: count }, (_, index) => signUp(`${name} ${index}`, second + index, about));
const imported = { form: 'import', network: 'import' };
const consent = { form: 'fair', consent_text: 'w0', consent_requested_at: at(-9), confirmed_at: at(-8) };
const subscriber = (id: string, state: SubscriberRow['state'], about: Partial<SubscriberRow> = {}) => ({
  ...{ ...consent, id, address: `${id}@example.com`, state, ...about },
});

describe.each(databases)('sign-ups on $name', async ({ create, name }) => {
  const { database, store, other, close } = await openTwoStores(create);
  afterAll(close);

  afterEach(async () => {
    for (const table of ['deliveries', 'sign_ups', 'subscribers', 'tokens'])
      await database.query(`delete from ${table}`);
  });

  const ask = (...signUps: SignUpRow[]) => Promise.all(signUps.map(store.signUps.add));

  function process(second: number, about: Partial<BatchOptions> = {}, by = store) {
    return processBatch(by.subscribers, {
      now: at(second),
      notMailedSince: at(second - day),
      countedSince: at(second - hour),
      maxPerHour: 1000,
      maxPerDomain: 1000,
      maxSignUps: 100,
      reference: randomIds.reference,
      mailboxPseudonym: address => address.replace(/\+.*@/, '@'),
      getRegistrableDomain: host => host.split('.').slice(-2).join('.'),
      ...about,
    });
  }

  /** Without the rows that only reserve capacity. */
  const confirmations = async () =>
    (await store.outbox.list({ receiver: 'confirmations' }, 1000)).filter(
      ({ state }) => state !== 'cancelled',
    );
  const mailedTo = async () => (await confirmations()).map(({ subscriber }) => subscriber).sort();
  /** Marks all waiting mail as sent. */
  const markSent = (second: number, state: DeliveryState = 'delivered') =>
    database.query(
      `update deliveries set state = '${state}', settled_at = '${at(second)}' where state = 'waiting'`,
    );

  test('two processes that process sign-ups at once queue no mail twice and share the hourly limit', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `reader ${index}`);
    await ask(...names.flatMap(one => [signUp(one), signUp(one), signUp(one)]));
    const rounds = Array.from({ length: 12 }, (_, index) =>
      process(10, { maxSignUps: 20, maxPerHour: 40 }, index % 2 ? store : other),
    );
    const mailed = (await Promise.all(rounds)).map(round => round.mailed);
    expect(mailed.reduce((sum, one) => sum + one)).toBe(40);
    expect(new Set(await mailedTo()).size).toBe(40);
    while ((await process(10 + hour)).processed > 0);
    expect(await mailedTo()).toEqual(names.toSorted());
  });

  test('a mailbox gets one confirmation mail a day, with any tag and over all processes, and none while one waits', async () => {
    const tagged = (tag: number, second: number) => signUp(`ada+${tag}`, second);
    await ask(...Array.from({ length: 30 }, (_, index) => tagged(index, index)));
    const rounds = Array.from({ length: 6 }, (_, index) =>
      process(100, { maxSignUps: 10 }, index % 2 ? store : other),
    );
    expect((await Promise.all(rounds)).reduce((sum, { mailed }) => sum + mailed, 0)).toBe(1);
    expect([await mailedTo(), await store.signUps.count()]).toEqual([['ada+0'], 0]);
    await ask(tagged(31, day + 101));
    expect(await process(day + 101)).toMatchObject({ processed: 1, mailed: 0 });
    await markSent(day + 102, 'unconfirmed');
    await ask(tagged(32, 2 * day));
    expect(await process(2 * day + 101)).toMatchObject({ processed: 1, mailed: 0 });
    await ask(signUp('ada+0', 2 * day + 102, { form: 'footer', consent_text: 'w2' }));
    expect(await process(2 * day + 102)).toMatchObject({ processed: 1, mailed: 1 });
    const request = { request_form: 'footer', request_consent_text: 'w2', requested_at: at(2 * day + 102) };
    expect(await store.subscribers.get('ada+0')).toMatchObject(request);
  });

  test('tokens of one address, each used many times at once in two processes, confirm once', async () => {
    await ask(signUp('ada'));
    await process(0);
    const tokens = ['first', 'second', 'third'];
    for (const hash of tokens)
      await store.subscribers.addToken({ hash, subscriber: 'ada', expires_at: at(day) });
    const uses = Array.from({ length: 24 }, (_, index) => {
      const { subscribers } = index % 2 ? store : other;
      return confirmByTokenHash(subscribers, tokens[index % tokens.length] as string, at(5));
    });
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
    expect(await store.subscribers.get('ada')).toMatchObject({ state: 'confirmed', confirmed_at: at(5) });
    expect(await database.query('select * from tokens')).toEqual([]);
  });

  test('a sign-up, its row and its mail change in one transaction', async () => {
    await ask(signUp('ada'), signUp('bob'));
    const reference = () => null as unknown as string;
    await expect(process(0, { reference })).rejects.toThrow();
    expect(await store.signUps.count()).toBe(2);
    expect([await store.subscribers.count(), await confirmations()]).toEqual([0, []]);
    expect(await process(0)).toMatchObject({ mailed: 2 });
  });

  // SQLite has one writer at a time.
  describe.runIf(name === 'PostgreSQL')('while another transaction is open', () => {
    const countWaiting = `select count(*)::int as n from pg_locks where not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`;

    /** The statement's locks are released once `start` waits for them, and after `meanwhile`. */
    async function holdLocks<T>(
      statement: string,
      start: () => Promise<T>,
      meanwhile?: () => Promise<unknown>,
    ) {
      const client = new pg.Client({ connectionString: database.env.DATABASE_URL });
      await client.connect();
      await client.query(`begin; ${statement}`);
      const started = start();
      await expect.poll(async () => (await database.query(countWaiting))[0]?.n).toBe(1);
      await meanwhile?.();
      await client.query('commit');
      await client.end();
      return started;
    }

    test('what becomes of an address meanwhile counts', async () => {
      await ask(signUp('ada'));
      await process(0);
      await markSent(1);
      await ask(signUp('ada', 2 * day - 1));
      const suppressing = "update subscribers set state = 'suppressed', suppression_reason = 'owner'";
      const processed = await holdLocks(suppressing, () => process(2 * day));
      expect(processed).toMatchObject({ processed: 1, mailed: 0, isLimitReached: false });
      expect(await mailedTo()).toEqual(['ada']);
    });

    test('an address that signed up again and unsubscribes gets no mail, without a deadlock', async () => {
      await addSubscribers(database, [subscriber('zoe', 'unsubscribed', { unsubscribed_at: at(0) })]);
      await ask(signUp('zoe', 10));
      let processing: Promise<unknown> | undefined;
      await holdLocks(
        'select 1 from sign_ups for update',
        () => unsubscribeSubscriberById(store.subscribers, 'zoe', at(20)),
        () => {
          processing = process(20);
          return Promise.race([processing, wait(150)]);
        },
      );
      await processing;
      expect((await store.subscribers.get('zoe'))?.state).toBe('unsubscribed');
      expect(await store.outbox.count({ states: ['waiting'] })).toBe(0);
    });
  });

  describe.runIf(databaseUnderTest.some(one => one.name === name))('processed by one process', () => {
    test('use the same capacity whether the address is known or not, also with a tag', async () => {
      await addSubscribers(database, [subscriber('known', 'confirmed')]);
      for (const [victim, start] of [
        ['known', 0],
        ['unknown', 2 * day],
      ] as const) {
        await ask(signUp(`${victim} 1`, start), signUp(victim, start + 1), signUp(`${victim} 2`, start + 2));
        const limited = await process(start + 3, { maxPerHour: 2 });
        expect(limited).toMatchObject({ processed: 2, isLimitReached: true });
        // The second sign-up of the day uses no capacity in either case.
        await ask(signUp(`${victim}+tag`, start + 4));
        const again = await process(start + 5, { maxPerHour: 2 });
        expect(again).toMatchObject({ processed: 1, mailed: 0, isLimitReached: true });
        await eraseSubscriberById(store.subscribers, `${victim} 2`, at(start + 6));
        await markSent(start + 7);
      }
      expect(await mailedTo()).not.toContain('known');
      expect(await store.subscribers.get('known')).toMatchObject({ state: 'confirmed', ...consent });
    });

    test('of an imported list alternate with visitors, and leave them a part of each hour', async () => {
      const mailed = async (second: number) => (await process(second, { maxPerHour: 10 })).mailed;
      await ask(...many(12, 'list', 0, imported), signUp('ada', 50));
      expect(await mailed(60)).toBe(8);
      expect(await mailedTo()).toContain('ada');
      await ask(signUp('bob', 61));
      expect(await mailed(62)).toBe(1);
      await markSent(62);
      expect(await mailed(62 + hour)).toBe(5);
    });

    test('get no mail where the address is confirmed, suppressed or unsubscribed since; later ones do', async () => {
      const left = { unsubscribed_at: at(20) };
      const suppressed = { address: null, confirmed_at: null, suppressed_at: at(0) };
      const reasons = ['bounce', 'complaint', 'owner', 'erased'] as const;
      await addSubscribers(database, [
        subscriber('confirmed', 'confirmed'),
        ...['left', 'both', 'import'].map(id => subscriber(id, 'unsubscribed', left)),
        ...reasons.map(suppression_reason =>
          subscriber(suppression_reason, 'suppressed', { ...suppressed, suppression_reason }),
        ),
      ]);
      const unchanged = ['confirmed', 'left', 'import', 'bounce', 'complaint', 'owner'];
      const before = await Promise.all(unchanged.map(store.subscribers.get));
      // Requested before the opt-out, and stored only now.
      await ask(signUp('left', 10), signUp('both', 10), signUp('both', 30), signUp('import', 30, imported));
      await ask(signUp('confirmed', 30), ...reasons.map(id => signUp(id, 30)));
      expect(await process(day)).toMatchObject({ processed: 9, mailed: 2, isLimitReached: false });
      expect(await mailedTo()).toEqual(['both', 'erased']);
      expect(await Promise.all(unchanged.map(store.subscribers.get))).toEqual(before);
      const pending = { state: 'pending', mailed_at: at(day), requested_at: at(30) };
      expect(await store.subscribers.get('both')).toMatchObject({ ...pending, ...consent, ...left });
      const address = 'erased@example.com';
      expect(await store.subscribers.get('erased')).toMatchObject({
        ...pending,
        address,
        confirmed_at: null,
      });
    });

    test('of one domain wait when it has had its share of the hour, and no others do', async () => {
      const victims = Array.from({ length: 30 }, (_, index) =>
        signUp(`victim ${index}`, index, {
          address: `v${index}@${index % 2 ? 'mail.' : ''}victim.com`,
          network: `ipv6:${index % 5}`,
        }),
      );
      await ask(...victims, signUp('ada', 50), signUp('bob', 51, { address: 'bob@notvictim.com' }));
      await ask(signUp('listed', 52, { address: 'list@victim.com', ...imported }));
      const few = { maxPerDomain: 4, maxSignUps: 10 };
      const rounds = [];
      for (let count = 0; count < 5; count += 1) rounds.push(await process(100 + count, few));
      const toVictims = async () => (await mailedTo()).filter(one => one?.startsWith('victim'));
      expect(await toVictims()).toHaveLength(4);
      expect((await mailedTo()).filter(one => !one?.startsWith('victim'))).toEqual(['ada', 'bob', 'listed']);
      expect(rounds.some(({ isDomainLimitReached }) => isDomainLimitReached)).toBe(true);
      expect(rounds.some(({ isLimitReached }) => isLimitReached)).toBe(false);
      expect(await store.signUps.count()).toBe(26);
      await markSent(105);
      await process(106 + hour, few);
      expect(await toVictims()).toHaveLength(8);
    });

    test('of several networks alternate, also with capacity for one mail at a time', async () => {
      await ask(...many(40, 'victim', 0, { network: 'ipv6:one' }));
      await process(100, { maxPerHour: 10 });
      expect(await mailedTo()).toHaveLength(10);
      await ask(
        ...['ada', 'bob'].map((one, index) => signUp(one, 101 + index, { network: 'ipv4:two' })),
        signUp('cyd', 103, { network: 'ipv4:three' }),
      );
      for (const [maxPerHour, honest] of [
        [11, ['ada']],
        [12, ['ada', 'cyd']],
        [13, ['ada', 'bob', 'cyd']],
      ] as const) {
        expect(await process(104, { maxPerHour })).toMatchObject({ mailed: 1, isLimitReached: true });
        expect((await mailedTo()).filter(one => !one?.startsWith('victim'))).toEqual(honest);
      }
    });
  });

  describe.runIf(databaseUnderTest.some(one => one.name === name))('that are not confirmed', () => {
    test('are deleted without changing a consent, an erasure or an imported list', async () => {
      const none = {
        address: null,
        form: '',
        consent_text: '',
        consent_requested_at: null,
        confirmed_at: null,
      };
      await addSubscribers(database, [
        subscriber('confirmed', 'confirmed'),
        subscriber('left', 'unsubscribed', { unsubscribed_at: at(-7) }),
        subscriber('erased', 'suppressed', {
          ...{ ...none, suppressed_at: at(-day), suppression_reason: 'erased' },
        }),
      ]);
      const names = ['confirmed', 'left', 'erased'];
      const before = await Promise.all(names.map(store.subscribers.get));
      await ask(...names.map(one => signUp(one, 0, { network: 'ipv6:attack' })));
      await ask(signUp('listed', 0, imported));
      expect(await process(1)).toMatchObject({ mailed: 3 });
      await ask(signUp('listed too', 2, imported));
      expect(await deletePendingSubscribers(store, { since: '', until: at(9 * day), network: '' })).toEqual({
        signUps: 0,
        subscribers: 2,
      });
      const after = await Promise.all(names.map(store.subscribers.get));
      expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
      expect(after[2]).toMatchObject({ address: null, state: 'suppressed', suppression_reason: 'erased' });
      expect(await store.subscribers.get('listed')).toMatchObject({ state: 'pending' });
      expect(await store.signUps.count()).toBe(1);
    });

    test('keep the pseudonyms of their mail; others lose them after a day, and all with an erasure', async () => {
      await ask(...['ada', 'bob'].map(one => signUp(one, 0, { network: `ipv4:${one}` })));
      await process(1);
      await markSent(2);
      await store.subscribers.addToken({ hash: 'token', subscriber: 'ada', expires_at: at(8 * day) });
      await confirmByTokenHash(store.subscribers, 'token', at(3));
      const listPseudonyms = () =>
        database.query('select subscriber, mailbox, network from deliveries order by subscriber');
      const purge = (second: number) => expirePendingRows(store.subscribers, new Date(at(second)));
      const ada = { subscriber: 'ada', mailbox: 'ada@example.com', network: 'ipv4:ada' };
      const bob = { subscriber: 'bob', mailbox: 'bob@example.com', network: 'ipv4:bob' };
      await purge(day);
      expect(await listPseudonyms()).toEqual([ada, bob]);
      await purge(day + 10);
      const without = { subscriber: 'ada', mailbox: null, network: null };
      expect(await listPseudonyms()).toEqual([without, bob]);
      await eraseSubscriberById(store.subscribers, 'bob', at(day + 11));
      expect(await listPseudonyms()).toEqual([without]);
    });
  });
});
