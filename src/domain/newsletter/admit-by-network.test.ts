import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../../tests/harness/databases.ts';
import { testConfig } from '../../../tests/harness/site.ts';
import { addSubscribers } from '../../../tests/harness/subscribers.ts';
import { randomIds } from '../../lib/ids.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import type { PendingFilter } from '../../store/pending-requests.ts';
import type { SignUpRow } from '../../store/tables.ts';
import type { Admission } from './admit-batch.ts';
import { admitBatch } from './admit-batch.ts';
import { confirmByTokenHash } from './confirm-subscriber.ts';
import { dropPending } from './drop-pending.ts';
import { eraseById } from './erase-subscriber.ts';
import { purgeRows } from './purge-subscribers.ts';
import { suppressById, unsuppressById } from './suppress-subscriber.ts';

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

describe.each(databases)('sign-ups by mailbox and network on $name', ({ create }) => {
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

  /** Marks all waiting mail as sent. */
  const leave = (second: number) =>
    database.query(
      `update deliveries set state = 'delivered', settled_at = '${at(second)}' where state = 'waiting'`,
    );

  test('a mailbox gets one confirmation mail a day, with any tag and over all processes', async () => {
    const tagged = (tag: number, second: number) => signUp(`ada+${tag}`, second);
    await ask(...Array.from({ length: 30 }, (_, index) => tagged(index, index)));
    const rounds = Array.from({ length: 6 }, (_, index) =>
      admit(100, { maxSignUps: 10 }, index % 2 ? store : other),
    );
    expect((await Promise.all(rounds)).reduce((sum, { mailed }) => sum + mailed, 0)).toBe(1);
    expect([await mailedTo(), await store.signUps.count()]).toEqual([['ada+0'], 0]);
    expect(await store.subscribers.count()).toBe(1);
    // The day counts both from the sign-up and from the sending.
    await leave(hour);
    await ask(tagged(31, day + 101));
    expect(await admit(day + 101)).toMatchObject({ taken: 1, mailed: 0 });
    await ask(tagged(32, day + hour));
    expect(await admit(day + hour)).toMatchObject({ taken: 1, mailed: 1 });
  });

  test('a tag does not reveal whether the address is known', async () => {
    const consent = { form: 'home', consent_text: 'w1', consent_requested_at: at(0), confirmed_at: at(1) };
    await addSubscribers(database, [
      { ...consent, id: 'known', state: 'confirmed', address: 'known@example.com' },
    ]);
    for (const victim of ['known', 'unknown']) {
      const start = victim === 'known' ? 0 : 2 * day;
      await ask(signUp(victim, start));
      expect(await admit(start + 1, { maxPerHour: 2 })).toMatchObject({ taken: 1, isFull: false });
      // The second uses no capacity: one of the two mails is left.
      await ask(
        signUp(`${victim}+tag`, start + 2),
        signUp(`${victim} 1`, start + 3),
        signUp(`${victim} 2`, start + 4),
      );
      expect(await admit(start + 5, { maxPerHour: 2 })).toEqual({ taken: 2, mailed: 1, isFull: true });
      await eraseById(store.subscribers, `${victim} 2`, at(start + 6));
      await leave(start + 7);
    }
    await ask(signUp('known+news', 5 * day));
    expect(await admit(5 * day)).toMatchObject({ mailed: 1 });
    expect(await store.subscribers.get('known')).toMatchObject({ state: 'confirmed', confirmed_at: at(1) });
  });

  test('an unsuppressed address gets its confirmation mail on the day it signed up in vain', async () => {
    await suppressById(store.subscribers, 'ada', 'owner', at(0));
    await ask(signUp('ada', 1));
    expect(await admit(2)).toMatchObject({ taken: 1, mailed: 0 });
    await unsuppressById(store.subscribers, 'ada', at(3));
    await ask(signUp('ada', 4));
    expect(await admit(5)).toMatchObject({ mailed: 1 });
  });

  test('networks alternate, also with capacity for one mail at a time', async () => {
    const attack = Array.from({ length: 40 }, (_, index) =>
      signUp(`victim ${index}`, index, { network: 'ipv6:one' }),
    );
    await ask(...attack);
    await admit(100, { maxPerHour: 10 });
    expect(await mailedTo()).toHaveLength(10);
    await ask(
      ...['ada', 'bob'].map((name, index) => signUp(name, 101 + index, { network: 'ipv4:two' })),
      signUp('cyd', 103, { network: 'ipv4:three' }),
    );
    for (const [maxPerHour, honest] of [
      [11, ['ada']],
      [12, ['ada', 'cyd']],
      [13, ['ada', 'bob', 'cyd']],
    ] as const) {
      expect(await admit(104, { maxPerHour })).toMatchObject({ mailed: 1, isFull: true });
      expect((await mailedTo()).filter(name => !name?.startsWith('victim'))).toEqual(honest);
    }
    // A network's count ends with the hour, and the oldest sign-up is first again.
    await leave(104);
    await ask(signUp('dan', 105, { network: 'ipv4:two' }));
    expect(await admit(105 + hour, { maxPerHour: 2 })).toMatchObject({ mailed: 2 });
    expect(await mailedTo()).toEqual(expect.arrayContaining(['victim 10', 'dan']));
  });

  test('a visitor of another network is in the first round, however many wait', async () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      signUp(`victim ${index}`, index, { network: `ipv6:${index % 50}` }),
    );
    await ask(...many);
    await ask(signUp('honest', 6000, { network: 'ipv4:one' }));
    expect(await admit(7000)).toMatchObject({ mailed: 100 });
    expect(await mailedTo()).toContain('honest');
  });

  describe('that are not confirmed', () => {
    const all = { since: '', until: at(9 * day), network: '' };
    const attack = { ...all, network: 'ipv6:attack' };
    const token = (subscriber: string) =>
      store.subscribers.addToken({ hash: `token of ${subscriber}`, subscriber, expires_at: at(8 * day) });

    /** In batches of any size. */
    const drop = (filter: PendingFilter) => dropPending(store, filter);

    test('are deleted by network and time, with their queued mail, and no others', async () => {
      const from = { network: 'ipv6:attack' };
      await ask(
        ...Array.from({ length: 40 }, (_, index) => signUp(`victim ${index}`, index, from)),
        signUp('honest', 50, { network: 'ipv4:honest' }),
      );
      await admit(100);
      await token('victim 0');
      await ask(
        ...Array.from({ length: 1200 }, (_, index) => signUp(`later ${index}`, 200 + index, from)),
        signUp('ada', 200, { network: 'ipv4:ada' }),
      );
      expect(await store.signUps.listPendingNetworks(all, 2)).toEqual([
        { network: 'ipv6:attack', signUps: 1200, subscribers: 40, first: at(0), last: at(1399) },
        { network: 'ipv4:ada', signUps: 1, subscribers: 0, first: at(200), last: at(200) },
      ]);
      expect(await store.signUps.countPending(all)).toEqual({ signUps: 1201, subscribers: 41 });
      expect(await store.signUps.countPending({ ...all, network: 'ipv4' })).toEqual({
        signUps: 1,
        subscribers: 1,
      });
      expect(await drop({ ...attack, since: at(1300) })).toEqual({ signUps: 100, subscribers: 0 });
      expect(await drop({ ...attack, until: at(20) })).toEqual({ signUps: 0, subscribers: 20 });
      expect(await drop(attack)).toEqual({ signUps: 1100, subscribers: 20 });
      expect(await drop({ ...all, network: 'unknown' })).toEqual({ signUps: 0, subscribers: 0 });
      expect(await store.signUps.countPending(all)).toEqual({ signUps: 1, subscribers: 1 });
      expect(await mailedTo()).toEqual(['honest']);
      expect(await confirmByTokenHash(store.subscribers, 'token of victim 0', at(300))).toBe(false);
    });

    test('still count for the daily limit of their mailbox when they are deleted', async () => {
      await ask(signUp('ada+1', 0));
      await admit(1);
      await leave(2);
      expect(await drop(all)).toEqual({ signUps: 0, subscribers: 1 });
      await ask(signUp('ada+2', 3));
      expect(await admit(4)).toMatchObject({ taken: 1, mailed: 0 });
    });

    test('are deleted without changing a consent, an erasure or an imported list', async () => {
      const consent = {
        form: 'fair',
        consent_text: 'w0',
        consent_requested_at: at(-9),
        confirmed_at: at(-8),
      };
      await addSubscribers(database, [
        { ...consent, id: 'confirmed', state: 'confirmed', address: 'confirmed@example.com' },
        {
          ...consent,
          id: 'left',
          state: 'unsubscribed',
          address: 'left@example.com',
          unsubscribed_at: at(-7),
        },
      ]);
      await database.query(
        `insert into subscribers (id, state, suppressed_at, suppression_reason) values ('erased', 'suppressed', '${at(-day)}', 'erased')`,
      );
      const names = ['confirmed', 'left', 'erased'];
      const before = await Promise.all(names.map(store.subscribers.get));
      await ask(...names.map(name => signUp(name, 0, { network: 'ipv6:attack' })));
      await ask(signUp('listed', 0, { form: 'import', network: 'import' }));
      expect(await admit(1)).toMatchObject({ mailed: 3 });
      await ask(signUp('listed too', 2, { form: 'import', network: 'import' }));
      expect(await drop(all)).toEqual({ signUps: 0, subscribers: 2 });
      expect(await Promise.all(names.map(store.subscribers.get))).toEqual(before);
      expect(await store.subscribers.get('listed')).toMatchObject({ state: 'pending' });
      expect(await store.signUps.count()).toBe(1);
    });

    test('keep the pseudonyms of their mail; others lose them after a day, and all with an erasure', async () => {
      await ask(...['ada', 'bob'].map(name => signUp(name, 0, { network: `ipv4:${name}` })));
      await admit(1);
      await leave(2);
      await token('ada');
      await confirmByTokenHash(store.subscribers, 'token of ada', at(3));
      const kept = () =>
        database.query('select subscriber, mailbox, network from deliveries order by subscriber');
      const purge = (second: number) => purgeRows(store.subscribers, new Date(at(second)));
      await purge(day);
      const bob = { subscriber: 'bob', mailbox: 'bob@example.com', network: 'ipv4:bob' };
      expect(await kept()).toEqual([
        { subscriber: 'ada', mailbox: 'ada@example.com', network: 'ipv4:ada' },
        bob,
      ]);
      await purge(day + 10);
      expect(await kept()).toEqual([{ subscriber: 'ada', mailbox: null, network: null }, bob]);
      await ask(signUp('bob', 4, { network: 'ipv4:bob' }));
      await eraseById(store.subscribers, 'bob', at(day + 11));
      expect(await kept()).toEqual([{ subscriber: 'ada', mailbox: null, network: null }]);
      expect(await store.signUps.count()).toBe(0);
    });
  });
});
