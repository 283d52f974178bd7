import { afterAll, describe, expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { newMessage, toMessageRow } from '../../../tests/harness/sample-message.ts';
import { openTwoStores, type TestStore } from '../../../tests/harness/stores.ts';
import type { MessageRow } from '../../core/database/tables.ts';
import type { NewMessage } from './messages.ts';

describe.each(databases)('messages on $name', async ({ create }) => {
  const { database, store, other, close } = await openTwoStores(create);
  afterAll(close);

  const receiversOf = async (reference: string) =>
    (await store.outbox.list({ reference }, 100)).map(({ receiver }) => receiver).sort();

  test('one key many times and many keys in any order, to two processes at once, are one row each', async () => {
    const keys = [
      ...Array(40).fill('again'),
      ...Array.from({ length: 60 }, (_, index) => `crossed ${index}`),
    ];
    const send = (by: TestStore, key: string) =>
      by.messages.add(newMessage({ idempotency_key: key, receivers: ['sheet', 'mail'] }));
    const rows = await Promise.all([
      ...keys.map(key => send(store, key)),
      ...keys.toReversed().map(key => send(other, key)),
    ]);
    const same = rows.filter(row => row.idempotency_key === 'again') as [MessageRow];
    expect(same).toEqual(Array(80).fill(same[0]));
    expect(await store.messages.get(same[0].reference)).toEqual(same[0]);
    const references = new Set(rows.map(({ reference }) => reference));
    expect([references.size, await store.messages.count({})]).toEqual([61, 61]);
    expect(await store.outbox.count({})).toBe(122);
    expect(await receiversOf(same[0].reference)).toEqual(['mail', 'sheet']);
  });

  test('a message that cannot be stored with its deliveries fails alone and leaves nothing', async () => {
    const known = await store.messages.add(newMessage());
    const double = newMessage({ reference: known.reference, name: 'another' });
    const broken = newMessage({ receivers: ['sheet', null as unknown as string] });
    const sent = [newMessage(), double, broken, newMessage()];
    const results = await Promise.allSettled(sent.map(store.messages.add));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect((await store.messages.get(known.reference))?.name).toBe(known.name);
    expect(await store.messages.get(broken.reference)).toBeUndefined();
    expect(await receiversOf(broken.reference)).toEqual([]);
    await store.messages.add({ ...broken, receivers: ['sheet'] });
    expect(await receiversOf(broken.reference)).toEqual(['sheet']);
  });

  test('messages of one reason are released in batches, each once, and no others', async () => {
    const at = (minute: number) => `2032-01-01T00:0${minute}:00.000Z`;
    const quarantined = (quarantine_reason: string, about: Partial<NewMessage> = {}) =>
      newMessage({ state: 'quarantined', quarantine_reason, received_at: at(5), ...about });
    const wanted = [
      ...Array.from({ length: 600 }, () => quarantined('flood, fast')),
      ...['flood', 'honeypot, flood, fast'].map(one => quarantined(one)),
    ];
    const others = [
      quarantined('floods, fast'),
      quarantined('flood', { state: 'spam' }),
      quarantined('flood', { received_at: at(1) }),
      quarantined('flood', { received_at: at(9) }),
    ];
    await Promise.all([...wanted, ...others].map(store.messages.add));
    const filter = { reason: 'flood', since: at(2), upTo: at(8) };
    expect(await store.messages.count({ ...filter, state: 'quarantined' })).toBe(wanted.length);

    const releaseAll = async (by: TestStore) => {
      const counts: number[] = [];
      do counts.push(await by.messages.releaseBatch(filter, ['sheet', 'mail'], at(9)));
      while (counts.at(-1));
      return counts;
    };
    const counts = (await Promise.all([releaseAll(store), releaseAll(other)])).flat();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(wanted.length);
    expect(Math.max(...counts)).toBeLessThan(wanted.length);
    const { reference } = wanted[0] as MessageRow;
    expect(await store.messages.get(reference)).toMatchObject({ state: 'new', quarantine_reason: '' });
    expect(await receiversOf(reference)).toEqual(['mail', 'sheet']);
    const after = await Promise.all(others.map(one => store.messages.get(one.reference)));
    expect(after).toEqual(others.map(toMessageRow));
  });

  const at = (second: number) => new Date(Date.UTC(2040, 0, 1) + second * 1000).toISOString();
  const since = at(0);

  test('the order of arrival is read in pages, also where many arrived in the same millisecond', async () => {
    const sent = Array.from({ length: 2100 }, (_, index) =>
      newMessage({
        received_at: at(index % 3),
        service: index % 2 ? 'Care' : 'Repairs',
        state: index % 5 ? 'new' : 'quarantined',
      }),
    );
    await Promise.all(sent.map(store.messages.add));
    const read = async (order: 'newest' | 'oldest') =>
      (await Array.fromAsync(store.messages.each({ since }, order))).flat();
    const newest = await read('newest');
    expect(newest).toHaveLength(2100);
    expect(new Set(newest.map(({ reference }) => reference)).size).toBe(2100);
    expect(newest).toEqual((await read('oldest')).toReversed());
    const filter = { since: at(1), service: 'Care', state: 'quarantined' } as const;
    const wanted = newest.filter(
      row => row.received_at >= at(1) && row.service === 'Care' && row.state === 'quarantined',
    );
    const first = await store.messages.list(filter, { limit: 60 });
    const rest = await store.messages.list(filter, { limit: 1000, before: first.at(-1) as MessageRow });
    expect([...first, ...rest]).toEqual(wanted);
    expect(await store.messages.count(filter)).toBe(wanted.length);
    expect(await store.messages.count({ since }, 10)).toBe(10);
  });

  test('spam is not delivered, and goes to every receiver once it is released', async () => {
    const now = '2030-02-01T00:00:00.000Z';
    const message = newMessage({ receivers: ['waits', 'under way', 'arrived', 'given up'] });
    const { reference } = message;
    await store.messages.add(message);
    await database.query(`update deliveries set state = case receiver when 'under way' then 'sending'
      when 'arrived' then 'delivered' when 'given up' then 'failed' else state end
      where reference = '${reference}'`);
    const states = async () => {
      const found = await store.outbox.list({ reference }, 100);
      return Object.fromEntries(found.map(({ receiver, state }) => [receiver, state]));
    };
    const mark = (by: TestStore) => by.messages.markSpam(reference, now);
    expect((await Promise.all([mark(store), mark(other)])).filter(Boolean)).toHaveLength(1);
    expect((await store.messages.get(reference))?.state).toBe('spam');
    const settled = { 'under way': 'sending', arrived: 'delivered' };
    expect(await states()).toEqual({ ...settled, waits: 'cancelled', 'given up': 'cancelled' });

    // One of them is not configured any more, another is since.
    const receivers = ['waits', 'under way', 'arrived', 'joined'];
    expect(await store.messages.release(reference, receivers, now)).toBe(true);
    expect((await store.messages.get(reference))?.state).toBe('new');
    const released = { waits: 'waiting', joined: 'waiting' };
    expect(await states()).toEqual({ ...settled, ...released, 'given up': 'cancelled' });

    const empty = newMessage({ state: 'empty' });
    await store.messages.add(empty);
    expect(await store.messages.markSpam(empty.reference, now)).toBe(false);
    expect(await store.messages.release(empty.reference, receivers, now)).toBe(false);
    expect(await store.messages.markSpam('NOSUC-HHERE', now)).toBe(false);
  });

  test('a message has the times of its states, and goes with its notes, unless it was released meanwhile', async () => {
    const { reference } = await store.messages.add(newMessage());
    for (const [from, to, answered_at, closed_at] of [
      ['new', 'answered', at(7), null],
      ['answered', 'closed', at(7), at(7)],
      ['closed', 'new', null, null],
    ] as const) {
      expect(await store.messages.changeState(reference, { from: [from], to, now: at(7) })).toBe(true);
      expect(await store.messages.get(reference)).toMatchObject({ state: to, answered_at, closed_at });
    }
    await store.messages.addNote(reference, 'called', at(8));
    await store.messages.deleteExpiredMessages([reference], ['quarantined', 'spam']);
    expect(await store.messages.get(reference)).toBeDefined();
    await store.messages.deleteExpiredMessages([reference]);
    expect(await store.messages.listNotes([reference])).toEqual([]);
  });
});
