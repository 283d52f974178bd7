import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../../tests/harness/databases.ts';
import { testConfig } from '../../../tests/harness/site.ts';
import { addSubscribers } from '../../../tests/harness/subscribers.ts';
import { randomIds } from '../../lib/ids.ts';
import type { Delivery, Settlement } from '../../store/deliveries.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import type { SignUpRow } from '../../store/tables.ts';
import type { Admission } from './admit-batch.ts';
import { admitBatch } from './admit-batch.ts';
import { eraseById } from './erase-subscriber.ts';
import { unsubscribeById } from './unsubscribe.ts';

const hour = 3600;
const day = 24 * hour;
/** A time, so many seconds after the beginning of the test. */
const at = (second: number) => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();

function signUp(subscriber: string, second = 0, about: Partial<SignUpRow> = {}): SignUpRow {
  const address = `${subscriber}@example.com`;
  return {
    id: randomIds.request(),
    subscriber,
    address,
    form: 'home',
    consent_text: 'w1',
    requested_at: at(second),
    network: 'unknown',
    ...about,
  };
}

describe.each(databases)('sign-ups on $name', ({ create, name }) => {
  let database: TestDatabase;
  /** Two stores on one database, as in two processes. */
  let store: Store;
  let other: Store;

  beforeAll(async () => {
    database = await create();
    const open = () =>
      openStore({ ...testConfig(database.env), onError: error => expect.unreachable(error.message) });
    store = await open();
    other = await open();
  });
  afterEach(async () => {
    for (const table of ['deliveries', 'sign_ups', 'subscribers', 'tokens'])
      await database.query(`delete from ${table}`);
  });
  afterAll(async () => {
    await store.close();
    await other.close();
    await database.remove();
  });

  const ask = (...signUps: SignUpRow[]) => Promise.all(signUps.map(store.signUps.add));

  function admit(second: number, about: Partial<Admission> = {}, by = store) {
    return admitBatch(by.subscribers, {
      now: at(second),
      notMailedSince: at(second - day),
      countedSince: at(second - hour),
      maxPerHour: 1000,
      maxSignUps: 100,
      reference: randomIds.reference,
      mailboxPseudonym: address => address.replace(/\+.*@/, '@'),
      ...about,
    });
  }

  /** Without the rows that only reserve capacity. */
  const confirmations = async () =>
    (await store.outbox.list({ receiver: 'confirmations' }, 1000)).filter(({ state }) => state !== 'dropped');
  const mailedTo = async () => (await confirmations()).map(({ subscriber }) => subscriber).sort();

  async function settle(second: number, about: Partial<Settlement> = {}): Promise<Delivery> {
    const [claimed] = await store.outbox.claim({
      receiver: 'confirmations',
      now: at(second),
      lease: 'one',
      leaseUntil: at(second + 60),
      limit: 1,
    });
    const delivered: Settlement = {
      state: 'delivered',
      attempts: 1,
      isPossibleDuplicate: false,
      now: at(second),
    };
    await store.outbox.settle(claimed as Delivery, { ...delivered, ...about } as Settlement);
    return claimed as Delivery;
  }

  test('a new address becomes pending, with its proof of consent, and gets one confirmation mail', async () => {
    await ask(signUp('ada', 5));
    expect(await store.signUps.count()).toBe(1);
    expect(await admit(10)).toEqual({ taken: 1, mailed: 1, isFull: false });
    expect(await store.subscribers.get('ada')).toEqual({
      id: 'ada',
      address: 'ada@example.com',
      state: 'pending',
      request_form: 'home',
      request_consent_text: 'w1',
      requested_at: at(5),
      form: '',
      consent_text: '',
      consent_requested_at: null,
      mailed_at: at(10),
      confirmed_at: null,
      unsubscribed_at: null,
      suppressed_at: null,
      suppression_reason: '',
    });
    expect(await confirmations()).toMatchObject([
      { kind: 'confirmation', subscriber: 'ada', state: 'waiting', created_at: at(10), due_at: at(10) },
    ]);
    expect(await store.signUps.count()).toBe(0);
    expect(await admit(11)).toEqual({ taken: 0, mailed: 0, isFull: false });
  });

  test('500 concurrent sign-ups of one address are one mail, and the first of them counts', async () => {
    await ask(
      signUp('ada', 0, { form: 'footer' }),
      ...Array.from({ length: 499 }, (_, i) => signUp('ada', i + 1)),
    );
    let taken = 0;
    for (let round = 0; round < 5; round += 1) taken += (await admit(1000 + round)).taken;
    expect([taken, await store.signUps.count()]).toEqual([500, 0]);
    expect(await mailedTo()).toEqual(['ada']);
    expect(await store.subscribers.get('ada')).toMatchObject({ request_form: 'footer', mailed_at: at(1000) });
  });

  test('two processes that admit concurrently queue no mail twice and share the hourly limit', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `reader ${index}`);
    await ask(...names.flatMap(name => [signUp(name), signUp(name), signUp(name)]));
    const rounds = Array.from({ length: 12 }, (_, index) =>
      admit(10, { maxSignUps: 20, maxPerHour: 40 }, index % 2 ? store : other),
    );
    const mailed = (await Promise.all(rounds)).map(round => round.mailed);
    expect(mailed.reduce((sum, one) => sum + one)).toBe(40);
    expect(new Set(await mailedTo()).size).toBe(40);
    while ((await admit(10 + hour)).taken > 0);
    expect(await mailedTo()).toEqual(names.toSorted());
  });

  test('beyond the hourly limit a sign-up waits, unless it gets no mail anyway', async () => {
    await ask(signUp('ada', 0));
    await admit(0);
    await ask(signUp('ada', 1), signUp('bob', 2), signUp('bob', 3), signUp('cyd', 4), signUp('ada', 5));
    expect(await admit(10, { maxPerHour: 2 })).toEqual({ taken: 4, mailed: 1, isFull: true });
    expect(await mailedTo()).toEqual(['ada', 'bob']);
    for (const second of [0, 10]) await settle(second);
    expect(await admit(hour - 1, { maxPerHour: 2 })).toEqual({ taken: 0, mailed: 0, isFull: true });
    expect(await admit(hour, { maxPerHour: 2 })).toEqual({ taken: 1, mailed: 1, isFull: false });
    expect(await store.subscribers.get('cyd')).toMatchObject({ requested_at: at(4), mailed_at: at(hour) });
  });

  test('mails that were delayed for hours count against the hour in which they are sent', async () => {
    await ask(...Array.from({ length: 9 }, (_, index) => signUp(`reader ${index}`, index)));
    let mailed = 0;
    for (let since = 0; since < 5; since += 1)
      mailed += (await admit(since * hour, { maxPerHour: 2 })).mailed;
    expect(mailed).toBe(2);
    for (let count = 0; count < mailed; count += 1) await settle(5 * hour);
    expect(await admit(5 * hour + 60, { maxPerHour: 2 })).toMatchObject({ mailed: 0, isFull: true });
    expect(await admit(6 * hour, { maxPerHour: 2 })).toMatchObject({ mailed: 2 });
  });

  test('known and unknown addresses use the same capacity', async () => {
    const consent = { form: 'home', consent_text: 'w1', consent_requested_at: at(0), confirmed_at: at(1) };
    await addSubscribers(database, [
      { ...consent, id: 'known', state: 'confirmed', address: 'k@example.com' },
    ]);
    for (const victim of ['known', 'unknown']) {
      const start = victim === 'known' ? 0 : 2 * day;
      await ask(signUp(`${victim} 1`, start), signUp(victim, start + 1), signUp(`${victim} 2`, start + 2));
      expect(await admit(start + 3, { maxPerHour: 2 })).toMatchObject({ taken: 2, isFull: true });
      // Its second sign-up of the day uses no capacity in either case.
      await ask(signUp(victim, start + 4));
      expect(await admit(start + 5, { maxPerHour: 2 })).toMatchObject({ taken: 1, mailed: 0, isFull: true });
      await eraseById(store.subscribers, `${victim} 2`, at(start + 6));
      await database.query(
        `update deliveries set state = 'delivered', settled_at = '${at(start + 7)}' where state = 'waiting'`,
      );
    }
    expect(await mailedTo()).not.toContain('known');
  });

  test('an imported list alternates with visitors, and leaves them a part of each hour', async () => {
    const list = Array.from({ length: 12 }, (_, index) =>
      signUp(`list ${index}`, 0, { form: 'import', network: 'import' }),
    );
    await ask(...list, signUp('ada', 5));
    expect(await admit(10, { maxPerHour: 10 })).toEqual({ taken: 8, mailed: 8, isFull: false });
    expect(await mailedTo()).toContain('ada');
    await ask(signUp('bob', 11));
    expect(await admit(12, { maxPerHour: 10 })).toEqual({ taken: 1, mailed: 1, isFull: false });
    await database.query(`update deliveries set state = 'delivered', settled_at = '${at(12)}'`);
    expect(await admit(12 + hour, { maxPerHour: 10 })).toEqual({ taken: 5, mailed: 5, isFull: false });
  });

  test('a flood of visitors does not block an imported list', async () => {
    const flood = Array.from({ length: 30 }, (_, index) =>
      signUp(`flood ${index}`, 0, { network: 'ipv6:a' }),
    );
    const list = Array.from({ length: 12 }, (_, index) =>
      signUp(`list ${index}`, 5, { form: 'import', network: 'import' }),
    );
    await ask(...flood, ...list);
    expect(await admit(10, { maxPerHour: 10 })).toEqual({ taken: 10, mailed: 10, isFull: true });
    expect((await mailedTo()).filter(name => name?.startsWith('list'))).toHaveLength(4);
  });

  test('an address gets its next mail after a day, with the consent of that request', async () => {
    await ask(signUp('ada'));
    await admit(0);
    await settle(1);
    await ask(signUp('ada', day - 1));
    expect(await admit(day - 1)).toMatchObject({ taken: 1, mailed: 0 });
    await ask(signUp('ada', day, { form: 'footer', consent_text: 'w2', address: 'Ada@example.com' }));
    expect(await admit(day + 1)).toMatchObject({ mailed: 1 });
    expect(await store.subscribers.get('ada')).toMatchObject({
      address: 'Ada@example.com',
      request_form: 'footer',
      request_consent_text: 'w2',
      requested_at: at(day),
      mailed_at: at(day + 1),
    });
  });

  test('an erasure does not allow a second mail on the same day', async () => {
    await ask(signUp('ada'));
    await admit(0);
    await settle(1);
    await eraseById(store.subscribers, 'ada', at(hour));
    await ask(signUp('ada', 2 * hour));
    expect(await admit(2 * hour)).toMatchObject({ taken: 1, mailed: 0 });
    await ask(signUp('ada', day + hour));
    expect(await admit(day + hour)).toMatchObject({ mailed: 1 });
  });

  test('a mail that was sent late, or is still queued, counts for the daily limit', async () => {
    await ask(signUp('ada'));
    await admit(0);
    await ask(signUp('ada', day + 1));
    expect(await admit(day + 1)).toMatchObject({ taken: 1, mailed: 0 });
    await settle(day + 2);
    await ask(signUp('ada', day + 3));
    expect(await admit(2 * day + 1)).toMatchObject({ mailed: 0 });
    await ask(signUp('ada', 2 * day));
    expect(await admit(2 * day + 2)).toMatchObject({ mailed: 1 });
  });

  test('a mail that is being sent or is unconfirmed counts for the daily limit', async () => {
    await ask(signUp('ada'));
    await admit(0);
    const lease = { lease: 'one', leaseUntil: at(2 * day) };
    const [claimed] = await store.outbox.claim({ receiver: 'confirmations', now: at(0), limit: 1, ...lease });
    await ask(signUp('ada', day + 1));
    expect(await admit(day + 1)).toMatchObject({ taken: 1, mailed: 0 });
    const flags = { isAmbiguous: true, isPossibleDuplicate: false };
    await store.outbox.settle(claimed as Delivery, {
      ...{ state: 'unconfirmed', attempts: 1, why: 'cut off', now: at(day + 2), ...flags },
    });
    await ask(signUp('ada', day + 3));
    expect(await admit(2 * day + 1)).toMatchObject({ taken: 1, mailed: 0 });
    await ask(signUp('ada', 2 * day + 2));
    expect(await admit(2 * day + 2)).toMatchObject({ mailed: 1 });
  });

  test('confirmed and suppressed addresses get no mail; unsubscribed and erased ones do', async () => {
    const none = { form: '', consent_text: '', consent_requested_at: null, confirmed_at: null };
    const suppressed = { ...none, state: 'suppressed', address: null, suppressed_at: at(0) } as const;
    await addSubscribers(database, [
      { ...none, id: 'confirmed', state: 'confirmed', address: 'c@example.com', confirmed_at: at(0) },
      { ...none, id: 'left', state: 'unsubscribed', address: 'l@example.com', unsubscribed_at: at(0) },
      ...(['bounce', 'complaint', 'owner', 'erased'] as const).map(why => ({
        ...suppressed,
        id: why,
        suppression_reason: why,
      })),
    ]);
    const ids = ['confirmed', 'left', 'bounce', 'complaint', 'owner', 'erased'];
    const before = await Promise.all(ids.map(store.subscribers.get));
    await ask(...ids.map(id => signUp(id)));
    expect(await admit(day)).toEqual({ taken: 6, mailed: 2, isFull: false });
    expect(await mailedTo()).toEqual(['erased', 'left']);
    const pending = { state: 'pending', confirmed_at: null, mailed_at: at(day), requested_at: at(0) };
    expect(await store.subscribers.get('left')).toMatchObject({ ...pending, unsubscribed_at: at(0) });
    expect(await store.subscribers.get('erased')).toMatchObject({
      ...pending,
      address: 'erased@example.com',
      suppression_reason: 'erased',
    });
    const after = await Promise.all(ids.map(store.subscribers.get));
    for (const index of [0, 2, 3, 4]) expect(after[index]).toEqual(before[index]);
  });

  test('a sign-up that waited while its address unsubscribed is dropped; a later one is not', async () => {
    const consent = { form: 'home', consent_text: 'w1', consent_requested_at: at(0), confirmed_at: at(1) };
    const names = ['before', 'both', 'import'];
    await addSubscribers(
      database,
      names.map(id => ({ ...consent, id, state: 'confirmed', address: `${id}@example.com` })),
    );
    for (const name of names) await unsubscribeById(store.subscribers, name, at(20));
    // Requested before the opt-out, and stored only now.
    await ask(
      signUp('before', 10),
      signUp('both', 10),
      signUp('import', 30, { form: 'import', network: 'import' }),
    );
    await ask(signUp('both', 30));
    expect(await admit(day)).toEqual({ taken: 4, mailed: 1, isFull: false });
    expect(await mailedTo()).toEqual(['both']);
    expect(await store.subscribers.get('before')).toMatchObject({ state: 'unsubscribed', form: 'home' });
    expect(await store.subscribers.get('import')).toMatchObject({ state: 'unsubscribed' });
    expect(await store.subscribers.get('both')).toMatchObject({ state: 'pending', requested_at: at(30) });
  });

  // SQLite has one writer at a time.
  if (name === 'PostgreSQL') {
    test.each([
      "state = 'suppressed', suppression_reason = 'owner'",
      "state = 'confirmed'",
      `state = 'unsubscribed', unsubscribed_at = '${at(2 * day)}'`,
    ])('what becomes of an address while its request is looked at counts: %s', async change => {
      await ask(signUp('ada'));
      await admit(0);
      await settle(1);
      await ask(signUp('ada', 2 * day - 1));
      const changing = database.query(
        `update subscribers set ${change} where id = 'ada'; select pg_sleep(0.6)`,
      );
      const sleeping = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
      await expect.poll(() => database.query(sleeping)).toHaveLength(1);
      expect(await admit(2 * day)).toEqual({ taken: 1, mailed: 0, isFull: false });
      await changing;
      expect(await mailedTo()).toEqual(['ada']);
    });
  }

  test('a sign-up, its row and its mail change in one transaction', async () => {
    await ask(signUp('ada'), signUp('bob'));
    const reference = () => null as unknown as string;
    await expect(admit(0, { reference })).rejects.toThrow();
    expect(await store.signUps.count()).toBe(2);
    expect([await store.subscribers.count(), await confirmations()]).toEqual([0, []]);
    expect(await admit(0)).toMatchObject({ mailed: 2 });
  });
});
