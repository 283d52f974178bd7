import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { newMessage, toMessageRow } from '../../tests/harness/sample-message.ts';
import { testConfig } from '../../tests/harness/site.ts';
import type { NewMessage } from './messages.ts';
import { openStore, type Store } from './open-store.ts';
import type { MessageRow } from './tables.ts';

describe.each(databases)('messages on $name', ({ name, create }) => {
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
  afterAll(async () => {
    await store.close();
    await other.close();
    await database.remove();
  });

  const receiversOf = async (reference: string) =>
    (await store.outbox.list({ reference }, 100)).map(({ receiver }) => receiver).sort();

  async function count(where: string): Promise<number> {
    const [row] = await database.query(`select count(*) as n from messages where ${where}`);
    return Number(row?.n);
  }

  describe('the same key', () => {
    test.each([
      ['one process', () => [store]],
      ['two processes', () => [store, other]],
    ])('50 times at once, to %s, is one row with one set of deliveries', async (to, stores) => {
      const key = `fifty times to ${to}`;
      const sent = Array.from({ length: 50 }, () =>
        newMessage({ idempotency_key: key, receivers: ['sheet', 'mail'] }),
      );
      const rows = await Promise.all(
        sent.map((message, index) => (stores()[index % stores().length] as Store).messages.add(message)),
      );
      const [first] = rows as [MessageRow];
      expect(rows).toEqual(Array(50).fill(first));
      expect(await count(`idempotency_key = '${key}'`)).toBe(1);
      expect(await store.messages.get(first.reference)).toEqual(first);
      const references = sent.map(({ reference }) => reference);
      expect((await Promise.all(references.map(receiversOf))).flat()).toEqual(['mail', 'sheet']);
    });

    test('many keys in any order, from two processes at once, are stored once each', async () => {
      const keys = Array.from({ length: 60 }, (_, index) => `crossed ${index}`);
      const rows = await Promise.all([
        ...keys.map(key => store.messages.add(newMessage({ idempotency_key: key }))),
        ...keys.toReversed().map(key => other.messages.add(newMessage({ idempotency_key: key }))),
      ]);
      expect(new Set(rows.map(({ reference }) => reference)).size).toBe(60);
    });

    test('matches a model in which the first message of a key wins, in any order and grouping', async () => {
      const send = fc.record({
        key: fc.constantFrom('a', 'b', 'c', null),
        words: fc.constantFrom('one', 'two'),
      });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(send, { maxLength: 6 }), { maxLength: 4 }), async groups => {
          run += 1;
          const first = new Map<string, MessageRow>();
          for (const group of groups) {
            const messages = group.map(({ key, words }) =>
              newMessage({ idempotency_key: key && `run ${run} ${key}`, message: words }),
            );
            const wanted = messages.map(message => {
              const key = message.idempotency_key ?? message.reference;
              if (!first.has(key)) first.set(key, toMessageRow(message));
              return first.get(key);
            });
            expect(await Promise.all(messages.map(store.messages.add))).toEqual(wanted);
          }
          expect(await count(`idempotency_key like 'run ${run} %'`)).toBe(
            [...first.values()].filter(row => row.idempotency_key).length,
          );
        }),
        { numRuns: 25 },
      );
    });
  });

  test('a message and its deliveries are stored together or not at all', async () => {
    const message = newMessage({ receivers: ['sheet', null as unknown as string] });
    await expect(store.messages.add(message)).rejects.toThrow();
    expect(await store.messages.get(message.reference)).toBeUndefined();
    expect(await receiversOf(message.reference)).toEqual([]);
    await store.messages.add({ ...message, receivers: ['sheet'] });
    expect(await receiversOf(message.reference)).toEqual(['sheet']);
  });

  test('64 concurrent messages share a few commits', async () => {
    const before = await countCommits();
    const sent = Array.from({ length: 64 }, () => newMessage({ receivers: ['sheet'] }));
    await Promise.all(sent.map(store.messages.add));
    const commits = (await countCommits()) - before;
    expect(commits).toBeGreaterThan(0);
    expect(commits).toBeLessThanOrEqual(3);
    const stored = await Promise.all(sent.map(({ reference }) => store.messages.get(reference)));
    expect(stored).toEqual(sent.map(toMessageRow));
  });

  /** SQLite marks the last page of each commit in its log; PostgreSQL keeps with a row the transaction it came from. */
  async function countCommits(): Promise<number> {
    if (name === 'PostgreSQL') {
      const [row] = await database.query('select count(distinct xmin::text) as n from messages');
      return Number(row?.n);
    }
    const log = readFileSync(join(database.dataDir, 'wardhouse.sqlite-wal'));
    const frame = 24 + log.readUInt32BE(8);
    let commits = 0;
    for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits += 1;
    return commits;
  }

  test('a message that cannot be stored fails alone, and the database keeps working', async () => {
    const known = newMessage();
    await store.messages.add(known);
    const double = newMessage({ reference: known.reference, name: 'another' });
    const sent = [newMessage(), newMessage(), double, newMessage()];
    const results = await Promise.allSettled(sent.map(store.messages.add));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect((await store.messages.get(known.reference))?.name).toBe(known.name);
  });

  test('a message that fails at the commit fails alone, and leaves no row', async () => {
    for (const statement of failAtCommit[name] ?? []) await database.query(statement);
    const sent = ['a', 'b', 'fails at commit', 'c'].map(words =>
      newMessage({ name: words, receivers: ['sheet'] }),
    );
    const results = await Promise.allSettled(sent.map(store.messages.add));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    const [a, b, failed, c] = await Promise.all(sent.map(({ reference }) => receiversOf(reference)));
    expect([a, b, failed, c]).toEqual([['sheet'], ['sheet'], [], ['sheet']]);
    expect(await count("name = 'fails at commit'")).toBe(0);
  });

  test('quarantine is listed newest first, and a message is released once', async () => {
    const at = (minute: number) => `2030-01-01T00:0${minute}:00.000Z`;
    const quarantined = [3, 1, 2, 4].map(minute =>
      newMessage({ state: 'quarantined', quarantine_reason: 'flood', received_at: at(minute) }),
    );
    await Promise.all([...quarantined, newMessage({ received_at: at(2) })].map(store.messages.add));
    const listed = await store.messages.listQuarantined(at(1), at(4), 2);
    expect(listed.map(({ received_at }) => received_at)).toEqual([at(4), at(3)]);
    expect(await store.messages.countQuarantined(at(1), at(4))).toBe(3);

    const { reference } = quarantined[0] as MessageRow;
    const release = (by: Store) => by.messages.release(reference, ['sheet', 'mail'], at(9));
    const released = await Promise.all([release(store), release(other), release(store)]);
    expect(released.filter(Boolean)).toHaveLength(1);
    expect(await store.messages.get(reference)).toMatchObject({ state: 'new', quarantine_reason: '' });
    expect(await receiversOf(reference)).toEqual(['mail', 'sheet']);
    expect(await store.messages.countQuarantined(at(1), at(4))).toBe(2);
    expect(await store.messages.release('NOSUC-HHERE', ['sheet'], at(9))).toBe(false);
  });

  test('messages are counted between two times, without empty ones', async () => {
    const at = (minute: number) => `2031-01-01T00:0${minute}:00.000Z`;
    const states = ['new', 'quarantined', 'spam', 'empty', 'new', 'empty'] as const;
    const sent = [1, 2, 3, 4].flatMap(minute =>
      states.map(state => newMessage({ state, received_at: at(minute) })),
    );
    await Promise.all(sent.map(store.messages.add));
    expect(await store.messages.countStored(at(1), at(3))).toBe(8);
    expect(await store.messages.countStored(at(0), at(9))).toBe(16);
    expect(await store.messages.countStored(at(0), at(9), 5)).toBeGreaterThanOrEqual(5);
  });

  test('messages of one reason are released in batches, each once, and no others', async () => {
    const at = (minute: number) => `2032-01-01T00:0${minute}:00.000Z`;
    const addQuarantined = (quarantine_reason: string, about: Partial<NewMessage> = {}) =>
      newMessage({ state: 'quarantined', quarantine_reason, received_at: at(5), ...about });
    const wanted = [
      ...Array.from({ length: 600 }, () => addQuarantined('flood, fast')),
      ...['flood', 'flood, honeypot, honeypot text', 'honeypot, flood, fast'].map(reason =>
        addQuarantined(reason),
      ),
    ];
    const others = [
      addQuarantined('fast'),
      addQuarantined('floods, many repeats'),
      addQuarantined('flood', { state: 'spam' }),
      addQuarantined('flood', { received_at: at(1) }),
      addQuarantined('flood', { received_at: at(9) }),
    ];
    await Promise.all([...wanted, ...others].map(store.messages.add));
    const before = await Promise.all(others.map(({ reference }) => store.messages.get(reference)));
    const filter = { reason: 'flood', since: at(2), upTo: at(8) };
    expect(await store.messages.count({ ...filter, state: 'quarantined' })).toBe(wanted.length);
    expect(await store.messages.count({ reason: 'honeypot text', since: at(2), upTo: at(8) })).toBe(1);

    const releaseAll = async (by: Store) => {
      const counts: number[] = [];
      do counts.push(await by.messages.releaseSome(filter, ['sheet', 'mail'], at(9)));
      while (counts.at(-1));
      return counts;
    };
    const counts = (await Promise.all([releaseAll(store), releaseAll(other)])).flat();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(wanted.length);
    expect(Math.max(...counts)).toBeLessThan(wanted.length);
    expect(await store.messages.count({ since: at(2), upTo: at(8), state: 'new' })).toBe(wanted.length);
    for (const { reference } of [wanted[0], wanted.at(-1)] as MessageRow[]) {
      expect(await store.messages.get(reference)).toMatchObject({ state: 'new', quarantine_reason: '' });
      expect(await receiversOf(reference)).toEqual(['mail', 'sheet']);
    }
    expect(await Promise.all(others.map(({ reference }) => store.messages.get(reference)))).toEqual(before);
    for (const { reference } of others) expect(await receiversOf(reference)).toEqual([]);
  });

  describe('the order of arrival', () => {
    const at = (second: number) => new Date(Date.UTC(2040, 0, 1) + second * 1000).toISOString();
    const since = at(0);

    test('is read in pages, also where many arrived in the same millisecond', async () => {
      const sent = Array.from({ length: 2100 }, (_, index) =>
        newMessage({
          received_at: at(index % 3),
          service: index % 2 ? 'Care' : 'Repairs',
          state: index % 5 ? 'new' : 'quarantined',
        }),
      );
      await Promise.all(sent.map(store.messages.add));
      const newest = await collect(store.messages.each({ since }, 'newest'));
      const oldest = await collect(store.messages.each({ since }, 'oldest'));
      expect(newest).toHaveLength(2100);
      expect(new Set(newest.map(({ reference }) => reference)).size).toBe(2100);
      expect(newest).toEqual(oldest.toReversed());
      expect(newest.map(({ received_at }) => received_at)).toEqual(
        sent
          .map(({ received_at }) => received_at)
          .sort()
          .reverse(),
      );

      const filter = { since: at(1), service: 'Care', state: 'quarantined' } as const;
      const wanted = newest.filter(
        row => row.received_at >= at(1) && row.service === 'Care' && row.state === 'quarantined',
      );
      const first = await store.messages.list(filter, { limit: 60 });
      const rest = await store.messages.list(filter, { limit: 1000, before: first.at(-1) as MessageRow });
      expect([...first, ...rest]).toEqual(wanted);
      expect(await store.messages.count(filter)).toBe(wanted.length);
      expect(await store.messages.count({ since }, 10)).toBe(10);
      expect(await store.messages.count({ since: at(3) }, 10)).toBe(0);
      expect(await collect(store.messages.each({ since: at(3) }, 'newest'))).toEqual([]);
    });

    test('continues at its cursor, whatever is added or removed meanwhile', async () => {
      const seen: string[] = [];
      const all = (await collect(store.messages.each({ since }, 'newest'))).map(({ reference }) => reference);
      for await (const page of store.messages.each({ since }, 'newest')) {
        if (seen.length === 0) {
          await store.messages.add(newMessage({ received_at: at(100) }));
          const gone = [page.at(-1)?.reference, all[1500]].map(reference => `'${reference}'`);
          await database.query(
            `delete from messages where reference in (${gone.join()}) returning reference`,
          );
        }
        seen.push(...page.map(({ reference }) => reference));
      }
      expect(seen).toEqual(all.toSpliced(1500, 1));
    });
  });

  test('spam is not delivered, and goes to every receiver once it is released', async () => {
    const [now, later] = ['2030-02-01T00:00:00.000Z', '2030-02-02T00:00:00.000Z'];
    const message = newMessage({ receivers: ['waits', 'under way', 'arrived', 'given up'] });
    const { reference } = message;
    await store.messages.add(message);
    for (const [receiver, state] of [
      ['under way', 'sending'],
      ['arrived', 'delivered'],
      ['given up', 'failed'],
    ]) {
      await database.query(
        `update deliveries set state = '${state}' where reference = '${reference}' and receiver = '${receiver}'`,
      );
    }
    const states = async () => {
      const found = await store.outbox.list({ reference }, 100);
      return Object.fromEntries(found.map(({ receiver, state }) => [receiver, state]));
    };
    const mark = (by: Store) => by.messages.markSpam(reference, now);
    expect((await Promise.all([mark(store), mark(other)])).filter(Boolean)).toHaveLength(1);
    expect((await store.messages.get(reference))?.state).toBe('spam');
    const settled = { 'under way': 'sending', arrived: 'delivered' };
    expect(await states()).toEqual({ ...settled, waits: 'dropped', 'given up': 'dropped' });
    const [dropped] = await store.outbox.list({ reference, receiver: 'waits' }, 1);
    expect(dropped).toMatchObject({ settled_at: now, last_failure: 'marked as spam' });

    // One of them is not configured any more, another is since.
    const receivers = ['waits', 'under way', 'arrived', 'joined'];
    expect(await store.messages.release(reference, receivers, later)).toBe(true);
    expect((await store.messages.get(reference))?.state).toBe('new');
    expect(await states()).toEqual({
      ...settled,
      waits: 'waiting',
      'given up': 'dropped',
      joined: 'waiting',
    });
    const [waits] = await store.outbox.list({ reference, receiver: 'waits' }, 1);
    expect(waits).toMatchObject({ due_at: later, settled_at: null });

    const empty = newMessage({ state: 'empty' });
    await store.messages.add(empty);
    expect(await store.messages.markSpam(empty.reference, now)).toBe(false);
    expect(await store.messages.release(empty.reference, receivers, now)).toBe(false);
    expect(await store.messages.markSpam('NOSUC-HHERE', now)).toBe(false);
  });
});

async function collect(pages: AsyncGenerator<MessageRow[]>): Promise<MessageRow[]> {
  return (await Array.fromAsync(pages)).flat();
}

/** Constraints that are looked at only when the transaction commits. */
const failAtCommit: Record<string, string[]> = {
  SQLite: [
    'create table trap (id integer references readiness (id) deferrable initially deferred)',
    `create trigger trapped after insert on messages when new.name = 'fails at commit'
      begin insert into trap values (-1); end`,
  ],
  PostgreSQL: [
    `create function trapped() returns trigger as $$ begin raise integrity_constraint_violation; end $$
      language plpgsql`,
    `create constraint trigger trapped after insert on messages deferrable initially deferred
      for each row when (new.name = 'fails at commit') execute function trapped()`,
  ],
};
