import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../../tests/harness/databases.ts';
import { testConfig } from '../../../tests/harness/site.ts';
import { addSubscribers } from '../../../tests/harness/subscribers.ts';
import { randomIds } from '../../lib/ids.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import type { SubscriberRow, SubscriberState } from '../../store/tables.ts';
import { admitBatch } from './admit-batch.ts';
import { confirmByTokenHash } from './confirm-subscriber.ts';
import { eraseById } from './erase-subscriber.ts';
import { purgeRows } from './purge-subscribers.ts';
import { suppressById, unsuppressById } from './suppress-subscriber.ts';
import { unsubscribeById } from './unsubscribe.ts';

const day = 24 * 3600;
/** A time, so many seconds after the beginning of the test. */
const at = (second: number) => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();

const plain = { form: '', consent_text: '', network: 'unknown' };

describe.each(databases)('subscribers on $name', ({ create }) => {
  let database: TestDatabase;
  /** Two stores on one database, as in two processes. */
  let store: Store;
  let other: Store;
  /** Each test has a subscriber of its own. */
  let id: string;
  let tests = 0;

  beforeAll(async () => {
    database = await create();
    const open = () =>
      openStore({ ...testConfig(database.env), onError: error => expect.unreachable(error.message) });
    store = await open();
    other = await open();
  });
  beforeEach(() => {
    tests += 1;
    id = `subscriber ${tests}`;
  });
  afterAll(async () => {
    await store.close();
    await other.close();
    await database.remove();
  });

  const get = async () => (await store.subscribers.get(id)) as SubscriberRow;

  /** Makes it pending, with the named tokens, valid for a week. */
  async function ask(second: number, ...tokens: string[]): Promise<void> {
    await store.signUps.add({
      id: randomIds.request(),
      subscriber: id,
      address: 'Ada@example.com',
      form: 'home',
      network: 'unknown',
      consent_text: 'w1',
      requested_at: at(second),
    });
    const admission = { now: at(second), notMailedSince: at(second), countedSince: at(second) };
    await admitBatch(store.subscribers, {
      ...admission,
      maxPerHour: 9,
      maxSignUps: 9,
      reference: randomIds.reference,
      mailboxPseudonym: () => id,
    });
    for (const hash of tokens) {
      await store.subscribers.addToken({ hash, subscriber: id, expires_at: at(second + 7 * day) });
    }
  }

  async function become(state: SubscriberState): Promise<void> {
    await ask(0, `token of ${id}`);
    if (state === 'pending') return;
    if (state === 'suppressed') await suppressById(store.subscribers, id, 'owner', at(3));
    else expect(await confirmByTokenHash(store.subscribers, `token of ${id}`, at(1))).toBe(true);
    if (state === 'unsubscribed') await unsubscribeById(store.subscribers, id, at(2));
  }

  async function countOf(table: string): Promise<number> {
    const [row] = await database.query(`select count(*) as n from ${table} where subscriber = '${id}'`);
    return Number(row?.n);
  }

  describe('a token', () => {
    test('confirms once, and deletes the other tokens of that address', async () => {
      await ask(0, 'a', 'b');
      expect(await confirmByTokenHash(store.subscribers, 'unknown', at(5))).toBe(false);
      expect(await confirmByTokenHash(store.subscribers, 'a', at(5))).toBe(true);
      expect(await get()).toMatchObject({
        state: 'confirmed',
        consent_requested_at: at(0),
        confirmed_at: at(5),
      });
      expect(await confirmByTokenHash(store.subscribers, 'a', at(6))).toBe(false);
      expect(await confirmByTokenHash(store.subscribers, 'b', at(6))).toBe(false);
      expect(await get()).toMatchObject({ confirmed_at: at(5) });
    });

    test('confirms nothing once it has expired', async () => {
      await ask(0, 'late');
      expect(await confirmByTokenHash(store.subscribers, 'late', at(7 * day))).toBe(false);
      expect(await get()).toMatchObject({ state: 'pending', confirmed_at: null });
    });

    test.each([
      ['the same token', ['same']],
      ['different tokens of one address', ['first', 'second', 'third']],
    ])('used many times at once in two processes confirms once: %s', async (_, tokens) => {
      await ask(0, ...tokens);
      const uses = Array.from({ length: 24 }, (_, index) =>
        confirmByTokenHash(
          (index % 2 ? store : other).subscribers,
          tokens[index % tokens.length] as string,
          at(5),
        ),
      );
      expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
      expect([await countOf('tokens'), (await get()).state]).toEqual([0, 'confirmed']);
    });

    test.each(['confirmed', 'unsubscribed', 'suppressed'] as const)(
      'that is left over does not confirm a subscriber who is %s',
      async state => {
        await become(state);
        await store.subscribers.addToken({ hash: `left ${id}`, subscriber: id, expires_at: at(day) });
        const before = await get();
        expect(await confirmByTokenHash(store.subscribers, `left ${id}`, at(9))).toBe(false);
        expect(await get()).toEqual(before);
      },
    );
  });

  describe('unsubscribing', () => {
    test.each(['pending', 'confirmed'] as const)('changes a subscriber who is %s, once', async state => {
      await become(state);
      expect(await unsubscribeById(store.subscribers, id, at(9))).toBe(true);
      expect(await get()).toMatchObject({
        state: 'unsubscribed',
        unsubscribed_at: at(9),
        address: 'Ada@example.com',
      });
      expect([await unsubscribeById(store.subscribers, id, at(10)), await countOf('tokens')]).toEqual([
        false,
        0,
      ]);
      expect(await get()).toMatchObject({ unsubscribed_at: at(9) });
    });

    test('changes nothing for an unconfirmed suppressed or an unknown address', async () => {
      expect(await unsubscribeById(store.subscribers, id, at(9))).toBe(false);
      await become('suppressed');
      expect(await unsubscribeById(store.subscribers, id, at(9))).toBe(false);
      expect(await get()).toMatchObject({ state: 'suppressed', unsubscribed_at: null });
    });

    test('while suppressed stays in effect when the suppression is lifted', async () => {
      await become('confirmed');
      await suppressById(store.subscribers, id, 'bounce', at(4));
      expect(await unsubscribeById(store.subscribers, id, at(5))).toBe(true);
      expect(await unsuppressById(store.subscribers, id, at(6))).toBe('unsubscribed');
      expect(await get()).toMatchObject({ state: 'unsubscribed', unsubscribed_at: at(5) });
    });

    test('a second time, after a sign-up by another person, keeps the first date', async () => {
      await become('unsubscribed');
      const { unsubscribed_at } = await get();
      await ask(2 * day);
      expect(await unsubscribeById(store.subscribers, id, at(3 * day))).toBe(true);
      expect(await get()).toMatchObject({ state: 'unsubscribed', unsubscribed_at });
    });

    test('deletes a waiting sign-up', async () => {
      await become('confirmed');
      const address = 'ada@example.com';
      await store.signUps.add({ id, subscriber: id, address, ...plain, requested_at: at(3) });
      await unsubscribeById(store.subscribers, id, at(4));
      expect(await countOf('sign_ups')).toBe(0);
    });

    test('drops queued mail', async () => {
      await become('pending');
      await unsubscribeById(store.subscribers, id, at(9));
      const confirmations = (await store.outbox.list({ receiver: 'confirmations' }, 1000)).filter(
        ({ subscriber }) => subscriber === id,
      );
      expect(confirmations).toMatchObject([{ state: 'dropped', settled_at: at(9) }]);
    });

    test('is undone only by a new confirmation', async () => {
      await become('unsubscribed');
      await ask(2 * day, 'again');
      // Anyone can sign up with another person's address: the earlier consent stays unchanged.
      const before = {
        form: 'home',
        consent_text: 'w1',
        consent_requested_at: at(0),
        confirmed_at: at(1),
        unsubscribed_at: at(2),
      };
      expect(await get()).toMatchObject({ state: 'pending', requested_at: at(2 * day), ...before });
      expect(await confirmByTokenHash(store.subscribers, 'again', at(2 * day + 1))).toBe(true);
      expect(await get()).toMatchObject({
        ...{
          state: 'confirmed',
          unsubscribed_at: null,
          consent_requested_at: at(2 * day),
          confirmed_at: at(2 * day + 1),
        },
        ...{ request_form: '', requested_at: null },
      });
    });
  });

  describe('a suppression', () => {
    test('of an unknown address stores no address, and is deleted when it is lifted', async () => {
      expect(await suppressById(store.subscribers, id, 'bounce', at(1))).toBe(true);
      expect(await suppressById(store.subscribers, id, 'owner', at(2))).toBe(false);
      expect(await get()).toMatchObject({
        address: null,
        suppressed_at: at(1),
        suppression_reason: 'bounce',
      });
      expect(await unsuppressById(store.subscribers, id, at(3))).toBe('forgotten');
      expect(await get()).toBeUndefined();
      expect(await unsuppressById(store.subscribers, id, at(4))).toBeUndefined();
    });

    test.each([
      ['confirmed', 'bounce', 'confirmed', null],
      ['confirmed', 'owner', 'confirmed', null],
      ['confirmed', 'complaint', 'unsubscribed', at(5)],
      ['pending', 'bounce', 'unsubscribed', at(5)],
      ['unsubscribed', 'owner', 'unsubscribed', at(2)],
    ] as const)('of one who was %s, for %s, is lifted to %s', async (was, why, is, unsubscribed_at) => {
      await become(was);
      expect(await suppressById(store.subscribers, id, why, at(4))).toBe(true);
      expect(await get()).toMatchObject({
        state: 'suppressed',
        suppressed_at: at(4),
        suppression_reason: why,
      });
      expect(await countOf('tokens')).toBe(0);
      expect(await unsuppressById(store.subscribers, id, at(5))).toBe(is);
      expect(await get()).toMatchObject({
        state: is,
        unsubscribed_at,
        suppressed_at: null,
        suppression_reason: '',
      });
    });

    test('is not lifted if there is none', async () => {
      await become('confirmed');
      expect(await unsuppressById(store.subscribers, id, at(5))).toBeUndefined();
      expect(await get()).toMatchObject({ state: 'confirmed', unsubscribed_at: null });
    });

    test('is updated by a complaint after a bounce, and not by a bounce after a complaint', async () => {
      await become('confirmed');
      await suppressById(store.subscribers, id, 'bounce', at(4));
      await suppressById(store.subscribers, id, 'complaint', at(5));
      expect(await suppressById(store.subscribers, id, 'bounce', at(6))).toBe(false);
      expect(await get()).toMatchObject({ suppressed_at: at(5), suppression_reason: 'complaint' });
    });
  });

  describe('erasing', () => {
    const nothing = {
      address: null,
      request_form: '',
      request_consent_text: '',
      requested_at: null,
      form: '',
      consent_text: '',
      consent_requested_at: null,
      mailed_at: null,
      confirmed_at: null,
      unsubscribed_at: null,
    };

    test.each(['pending', 'confirmed', 'unsubscribed', 'suppressed'] as const)(
      'keeps of a subscriber who is %s only the id and the suppression reason',
      async state => {
        await become(state);
        await ask(9, 'another');
        expect(await eraseById(store.subscribers, id, at(10))).toBe(true);
        const why = state === 'suppressed' ? 'owner' : 'erased';
        const when = state === 'suppressed' ? at(3) : at(10);
        expect(await get()).toEqual({
          ...nothing,
          id,
          state: 'suppressed',
          suppressed_at: when,
          suppression_reason: why,
        });
        const left = await Promise.all(['sign_ups', 'tokens', 'deliveries'].map(countOf));
        expect(left).toEqual([0, 0, 0]);
      },
    );

    test('leaves the address in no database file', async () => {
      const address = 'once-and-never-again@example.com';
      await store.signUps.add({ id, subscriber: id, address, ...plain, requested_at: at(0) });
      const inFiles = () =>
        readdirSync(database.dataDir).some(name =>
          readFileSync(join(database.dataDir, name)).includes(address),
        );
      expect(inFiles()).toBe(!database.env.DATABASE_URL);
      await eraseById(store.subscribers, id, at(10));
      expect(inFiles()).toBe(false);
    });

    test('deletes a waiting sign-up, and nothing for an unknown address', async () => {
      expect(await eraseById(store.subscribers, id, at(0))).toBe(false);
      expect(await get()).toBeUndefined();
      const address = 'ada@example.com';
      await store.signUps.add({ id, subscriber: id, address, ...plain, requested_at: at(0) });
      expect(await eraseById(store.subscribers, id, at(1))).toBe(true);
      expect([await countOf('sign_ups'), (await get()).suppression_reason]).toEqual([0, 'erased']);
    });

    test('ends when the person signs up again and confirms, and not before', async () => {
      await become('confirmed');
      await eraseById(store.subscribers, id, at(10));
      const erased = await get();
      await ask(20, 'withdrawn');
      expect(await unsubscribeById(store.subscribers, id, at(21))).toBe(true);
      expect([await get(), await countOf('tokens')]).toEqual([erased, 0]);
      await ask(30, 'anew');
      expect(await confirmByTokenHash(store.subscribers, 'anew', at(31))).toBe(true);
      expect(await get()).toMatchObject({ state: 'confirmed', suppressed_at: null, suppression_reason: '' });
    });
  });

  describe('purging', () => {
    const purge = (second: number, by = store) => purgeRows(by.subscribers, new Date(at(second)));

    test('deletes what was not confirmed in time', async () => {
      await become('pending');
      await purge(7 * day);
      expect((await get()).state).toBe('pending');
      const purged = await Promise.all([purge(7 * day + 1), purge(7 * day + 1, other)]);
      expect(purged.filter(count => count > 0)).toHaveLength(1);
      expect(await get()).toBeUndefined();
      expect([await countOf('tokens'), await countOf('deliveries')]).toEqual([0, 0]);
    });

    test('waits for a mail that was sent late, and deletes sign-ups that were not admitted', async () => {
      await become('pending');
      await store.subscribers.addToken({ hash: `${id} late`, subscriber: id, expires_at: at(10 * day) });
      await store.signUps.add({
        ...{ id: `${id} waiting`, subscriber: `${id} waiting`, address: 'w@example.com', form: 'home' },
        ...{ consent_text: 'w1', requested_at: at(0), network: 'unknown' },
      });
      expect(await purge(8 * day)).toBe(0);
      expect(await store.signUps.count()).toBe(0);
      expect((await get()).state).toBe('pending');
      expect(await purge(10 * day)).toBe(1);
      expect(await get()).toBeUndefined();
    });

    test('keeps imported addresses until they have been mailed, however long that takes', async () => {
      await store.signUps.add({
        ...{
          id,
          subscriber: id,
          address: 'ada@example.com',
          form: 'import',
          consent_text: 'w1',
          requested_at: at(0),
        },
        network: 'import',
      });
      await purge(8 * day);
      expect(await store.signUps.count()).toBe(1);
      await eraseById(store.subscribers, id, at(8 * day));
    });

    test('or unsubscribed', async () => {
      await become('unsubscribed');
      const before = await get();
      await ask(2 * day);
      expect(await purge(10 * day)).toBe(1);
      // The time of the last mail alone is no longer needed.
      expect(await get()).toEqual({ ...before, mailed_at: null });
    });

    test('or erased', async () => {
      await become('confirmed');
      await eraseById(store.subscribers, id, at(10));
      const erased = await get();
      await ask(20);
      expect(await purge(10 * day)).toBe(1);
      expect(await get()).toEqual(erased);
    });

    test('deletes the address only of subscribers who were suppressed before they confirmed', async () => {
      await become('suppressed');
      const unconfirmed = id;
      id = `${id}, confirmed`;
      await become('confirmed');
      await suppressById(store.subscribers, id, 'bounce', at(4));
      const before = await get();
      expect(await purge(10 * day)).toBe(0);
      expect(await get()).toEqual(before);
      id = unconfirmed;
      expect(await get()).toMatchObject({ state: 'suppressed', address: null, suppression_reason: 'owner' });
    });

    test('keeps the record of an unsubscribed address that was suppressed during a new sign-up', async () => {
      await become('unsubscribed');
      await ask(2 * day);
      await suppressById(store.subscribers, id, 'bounce', at(3 * day));
      const before = await get();
      await purge(20 * day);
      expect(await get()).toEqual(before);
      expect(await unsuppressById(store.subscribers, id, at(21 * day))).toBe('unsubscribed');
    });
  });

  describe('the list', () => {
    test('contains the state of each address and of waiting sign-ups', async () => {
      await become('unsubscribed');
      await store.signUps.add({
        id,
        subscriber: id,
        address: 'a@example.com',
        ...plain,
        requested_at: at(3),
      });
      const waiting = `${id} waits`;
      await store.signUps.add({
        ...{ id: waiting, subscriber: waiting, address: 'w@example.com', ...plain, requested_at: at(3) },
      });
      expect(await store.subscribers.findStates([id, waiting, 'unknown'])).toEqual(
        new Map([
          [id, 'unsubscribed'],
          [waiting, 'pending'],
        ]),
      );
      for (const one of [id, waiting]) await eraseById(store.subscribers, one, at(4));
    });

    test('is read in pages, each row once', async () => {
      await addSubscribers(
        database,
        ['Zed', 'ada', 'Bob', 'cyd'].map(name => ({
          ...{ id: `${id} ${name}`, address: `${name}@example.com`, state: 'confirmed' },
        })),
      );
      const filter = { state: 'confirmed' as const };
      const seen: string[] = [];
      for (;;) {
        const page = await store.subscribers.list({ ...filter, after: seen.at(-1) as string }, 3);
        if (page.length === 0) break;
        seen.push(...page.map(row => row.id));
      }
      expect(seen.length).toBe(await store.subscribers.count('confirmed'));
      expect(new Set(seen).size).toBe(seen.length);
    });
  });

  test('consent texts are stored once and never changed', async () => {
    const consentText = { id, text: 'Once a month.', first_used_at: at(0) };
    await Promise.all([store, other].map(by => by.consentTexts.saveNew([consentText])));
    await store.consentTexts.saveNew([{ ...consentText, text: 'Daily.', first_used_at: at(1) }]);
    expect(await store.consentTexts.get(id)).toEqual(consentText);
    expect(await store.consentTexts.get('unknown')).toBeUndefined();
  });
});
