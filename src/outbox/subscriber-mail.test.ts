import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { ambiguous, delivered, hang, stub } from '../../tests/harness/receivers.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import { addSubscribers } from '../../tests/harness/subscribers.ts';
import type { ConfirmationPayload, NewsletterPayload, Outcome, Receiver } from '../deliveries/delivery.ts';
import { admitBatch } from '../domain/newsletter/admit-batch.ts';
import { confirmByTokenHash } from '../domain/newsletter/confirm-subscriber.ts';
import { suppressById } from '../domain/newsletter/suppress-subscriber.ts';
import { unsubscribeById } from '../domain/newsletter/unsubscribe.ts';
import { hashToken, randomIds } from '../lib/ids.ts';
import { openStore, type Store } from '../store/open-store.ts';
import type { DeliveryState } from '../store/tables.ts';
import { createWorker, type Worker } from './worker.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe.each(databases)('letters to readers on $name', ({ create }) => {
  const { log } = collectLog();
  let database: TestDatabase;
  let store: Store;
  let now: number;
  const clock = { now: () => new Date(now) };
  const at = (ms: number) => new Date(ms).toISOString();
  let workers: Worker[] = [];

  beforeAll(async () => {
    database = await create();
    store = await openStore({
      ...testConfig(database.env),
      onError: error => expect.unreachable(error.message),
    });
  });
  beforeEach(() => {
    now = Date.UTC(2026, 0, 2, 3, 4, 5);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(workers.map(worker => worker.stop()));
    workers = [];
    for (const table of ['deliveries', 'subscribers', 'tokens', 'issues', 'receivers', 'chores']) {
      await database.query(`delete from ${table}`);
    }
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  async function start(...receivers: Receiver[]): Promise<Worker> {
    const { messages, outbox, schedule, subscribers, issues } = store;
    const worker = createWorker({
      ...{ messages, outbox, schedule, subscribers, issues, receivers, clock, log },
      receiverStates: store.receivers,
      ids: randomIds,
      random: () => 0.5,
    });
    workers.push(worker);
    await worker.start();
    return worker;
  }

  async function ask(name: string): Promise<void> {
    const address = `${name}@example.com`;
    await store.signUps.ask({
      id: randomIds.request(),
      ...{ subscriber: name, address, form: 'home', wording: 'w', asked_at: at(now) },
      network: 'unknown',
    });
    await admitBatch(store.subscribers, {
      now: at(now),
      notMailedSince: at(now - day),
      ceilingSince: at(now - 60 * minute),
      ceiling: 1000,
      maxSignUps: 100,
      reference: randomIds.reference,
      mailboxPseudonym: to => to,
    });
  }

  async function subscribe(...names: string[]): Promise<void> {
    await addSubscribers(
      database,
      names.map(name => ({
        ...{ id: name, address: `${name}@example.com`, state: 'confirmed', form: 'home', wording: 'w' },
        asked_at: at(now),
        confirmed_at: at(now),
      })),
    );
  }

  /** An issue for everyone who is confirmed. */
  async function queue(): Promise<string> {
    const reference = randomIds.reference();
    const issue = { subject: 'News', html: '<p>News</p>', text: 'News', queued_at: at(now) };
    await store.issues.queue({ reference, name: reference.toLowerCase(), digest: 'd', ...issue });
    return reference;
  }

  async function counts(issue: string): Promise<Partial<Record<DeliveryState, number>>> {
    const all = Object.entries(await store.issues.count(issue));
    return Object.fromEntries(all.filter(([, count]) => count > 0));
  }

  const line = (name: 'newsletter' | 'confirmations', answer?: Parameters<typeof stub>[1]) => ({
    ...stub(name, answer),
    isAtMostOnce: true,
  });
  const rejected = (isUnknown: boolean): Outcome => ({ kind: 'rejected', why: 'answered 550', isUnknown });

  describe('a confirmation', () => {
    test('goes to whoever asked, with a token of which only the hash is kept', async () => {
      const letters = line('confirmations');
      await ask('ann');
      await start(letters);
      await eventually(() => letters.payloads.length).toBe(1);
      const { to, token, kind } = letters.payloads[0] as ConfirmationPayload;
      expect({ kind, to }).toEqual({ kind: 'confirmation', to: 'ann@example.com' });
      expect(token).toMatch(/^[\w-]{43}$/);
      const tokens = await database.query('select hash, subscriber, expires_at from tokens');
      expect(tokens).toEqual([{ hash: hashToken(token), subscriber: 'ann', expires_at: at(now + 7 * day) }]);
      for (const { name } of await tables(database)) {
        expect(JSON.stringify(await database.query(`select * from ${name}`))).not.toContain(token);
      }
      expect(await confirmByTokenHash(store.subscribers, hashToken(token), at(now))).toBe(true);
    });

    test('that nobody takes is given up, and says nothing about who may ask again', async () => {
      await ask('ann');
      await start(line('confirmations', rejected(true)));
      await eventually(() => store.outbox.count({ states: ['dead'] })).toBe(1);
      await Promise.all(workers.map(worker => worker.stop()));
      expect((await store.subscribers.get('ann'))?.state).toBe('pending');
    });

    test('is dropped when the request was withdrawn before it left', async () => {
      const letters = line('confirmations');
      await ask('ann');
      await unsubscribeById(store.subscribers, 'ann', at(now));
      await start(letters);
      await eventually(() => store.outbox.count({ states: ['dropped'] })).toBe(1);
      expect(letters.payloads).toEqual([]);
      expect(await database.query('select hash from tokens')).toEqual([]);
    });
  });

  describe('an issue', () => {
    test('goes once to everyone who is confirmed', async () => {
      const letters = line('newsletter');
      await subscribe('ann', 'bob');
      await ask('pending');
      const issue = await queue();
      const worker = await start(letters);
      await eventually(() => counts(issue)).toEqual({ delivered: 2 });
      worker.wake();
      await worker.stop();
      expect(letters.payloads.map(payload => (payload as NewsletterPayload).to).sort()).toEqual([
        'ann@example.com',
        'bob@example.com',
      ]);
      expect(letters.payloads[0]).toMatchObject({ kind: 'issue', subject: 'News', html: '<p>News</p>' });
    });

    test('is dropped for whoever left or bounced after it was queued', async () => {
      const letters = line('newsletter');
      await subscribe('ann', 'bob', 'cas');
      const issue = await queue();
      await unsubscribeById(store.subscribers, 'ann', at(now));
      await suppressById(store.subscribers, 'bob', 'complaint', at(now));
      await start(letters);
      await eventually(() => counts(issue)).toEqual({ delivered: 1, dropped: 2 });
      expect(letters.payloads).toHaveLength(1);
    });

    test('that may have arrived is not sent again until somebody says so', async () => {
      const letters = line('newsletter', () =>
        Promise.resolve(letters.payloads.length === 1 ? ambiguous : delivered),
      );
      await subscribe('ann', 'bob');
      const issue = await queue();
      const worker = await start(letters);
      await eventually(() => counts(issue)).toEqual({ delivered: 1, unsure: 1 });
      now += 30 * day;
      worker.wake();
      await eventually(() => counts(issue)).toEqual({ delivered: 1, unsure: 1 });
      expect(letters.payloads).toHaveLength(2);
      expect(await store.issues.resendUnsure(issue, at(now))).toBe(1);
      worker.wake();
      await eventually(() => counts(issue)).toEqual({ delivered: 2 });
    });

    test('whose process ended while it was sent is possibly sent, and the others go', async () => {
      await subscribe('ann', 'bob', 'cas');
      const issue = await queue();
      const claimed = await store.outbox.claim({
        ...{
          receiver: 'newsletter',
          now: at(now),
          lease: 'gone',
          leaseUntil: at(now + 2 * minute),
          limit: 1,
        },
      });
      now += 2 * minute;
      const letters = line('newsletter');
      await start(letters);
      await eventually(() => counts(issue)).toEqual({ delivered: 2, unsure: 1 });
      const unsure = await store.issues.listLetters(issue, ['unsure'], 10);
      expect(unsure).toMatchObject([{ subscriber: claimed[0]?.subscriber, attempts: 1 }]);
    });

    test('that is replaced by sending again, as a file is, leaves no doubt', async () => {
      const letters = { ...line('newsletter'), isIdempotent: true };
      await subscribe('ann');
      const issue = await queue();
      await store.outbox.claim({
        ...{ receiver: 'newsletter', now: at(now), lease: 'gone', leaseUntil: at(now), limit: 1 },
      });
      await start(letters);
      await eventually(() => counts(issue)).toEqual({ delivered: 1 });
    });

    test('cut off with its process before anything was said waits for the next', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const letters = line('newsletter', (_, signal) => hang(_, signal).then(() => failed));
      await subscribe('ann');
      const issue = await queue();
      const worker = await start(letters);
      await eventually(() => letters.underWay()).toBe(1);
      const stopped = worker.stop();
      await vi.advanceTimersByTimeAsync(4000);
      await stopped;
      expect(await counts(issue)).toEqual({ waiting: 1 });
    });

    test.each([
      [true, 'suppressed'],
      [false, 'confirmed'],
    ])('that a mail server will never take is given up (nobody there: %s)', async (isUnknown, state) => {
      const letters = line('newsletter', rejected(isUnknown));
      const mail = stub('mail');
      await subscribe('ann');
      const issue = await queue();
      await start(letters, mail);
      await eventually(() => counts(issue)).toEqual({ dead: 1 });
      await eventually(async () => (await store.subscribers.get('ann'))?.state).toBe(state);
      expect(letters.payloads).toHaveLength(1);
      // One reader that nothing reaches is no news.
      expect(mail.payloads).toEqual([]);
    });

    test('that is held stays where it is until it is let go', async () => {
      const letters = line('newsletter');
      await subscribe('ann', 'bob');
      const issue = await queue();
      expect(await store.issues.hold(issue, at(now))).toBe(2);
      const worker = await start(letters);
      worker.wake();
      expect(await counts(issue)).toEqual({ held: 2 });
      await store.issues.letGo(issue, at(now));
      worker.wake();
      await eventually(() => counts(issue)).toEqual({ delivered: 2 });
    });

    test('that fails again and again is told to the owner, once', async () => {
      const why = 'answered 554 5.7.1';
      // What one subscriber's server refuses does not slow the letters to the others.
      const letters = line('newsletter', { kind: 'failed', why, isAmbiguous: false, isDefinite: true });
      const mail = stub('mail');
      await subscribe('ann', 'bob', 'cas', 'dee', 'eve');
      const issue = await queue();
      const worker = await start(letters, mail);
      for (const tries of [5, 10, 15]) {
        await eventually(() => letters.payloads.length).toBe(tries);
        await eventually(() => counts(issue)).toEqual({ waiting: 5 });
        expect(mail.payloads).toEqual([]);
        now += 60 * minute;
        worker.wake();
      }
      await eventually(() => mail.payloads).toMatchObject([
        { kind: 'notice', text: expect.stringContaining('5.7.1') },
      ]);
    });

    test('that cannot leave for now pauses its line alone, and the owner is told', async () => {
      const letters = line('newsletter', { kind: 'refused', why: 'answered 535' });
      const mail = stub('mail');
      const confirmations = line('confirmations');
      await subscribe('ann');
      const issue = await queue();
      await ask('bob');
      await start(letters, mail, confirmations);
      await eventually(() => mail.payloads).toMatchObject([
        { kind: 'notice', text: expect.stringContaining('535') },
      ]);
      await eventually(() => confirmations.payloads.length).toBe(1);
      // The notice is queued before the delivery is settled.
      await eventually(() => counts(issue)).toEqual({ waiting: 1 });
    });
  });
});

const failed: Outcome = { kind: 'failed', why: 'stopped', isAmbiguous: false };

function eventually<T>(look: () => T) {
  return expect.poll(look, { interval: 5 });
}

function tables({ env, query }: TestDatabase): Promise<{ name?: unknown }[]> {
  return query(
    env.DATABASE_URL
      ? "select table_name as name from information_schema.tables where table_schema = 'public'"
      : "select name from sqlite_schema where type = 'table'",
  );
}
