import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import { ambiguous, delivered, hang, stubReceiver } from '../../tests/harness/stub-receiver.ts';
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

describe.each(databases)('subscriber mail on $name', ({ create }) => {
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
    for (const table of [
      'deliveries',
      'subscribers',
      'tokens',
      'newsletter_issues',
      'receivers',
      'scheduled_runs',
    ]) {
      await database.query(`delete from ${table}`);
    }
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  async function start(...receivers: Receiver[]): Promise<Worker> {
    const { messages, outbox, schedule, subscribers, newsletterIssues } = store;
    const worker = createWorker({
      ...{ messages, outbox, schedule, subscribers, newsletterIssues, receivers, clock, log },
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
    await store.signUps.add({
      id: randomIds.request(),
      ...{ subscriber: name, address, form: 'home', consent_text: 'w', requested_at: at(now) },
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
        ...{ id: name, address: `${name}@example.com`, state: 'confirmed', form: 'home', consent_text: 'w' },
        consent_requested_at: at(now),
        confirmed_at: at(now),
      })),
    );
  }

  /** An issue for everyone who is confirmed. */
  async function queue(): Promise<string> {
    const reference = randomIds.reference();
    const issue = { subject: 'News', html: '<p>News</p>', text: 'News', queued_at: at(now) };
    await store.newsletterIssues.queue({ reference, name: reference.toLowerCase(), digest: 'd', ...issue });
    return reference;
  }

  async function counts(issue: string): Promise<Partial<Record<DeliveryState, number>>> {
    const all = Object.entries(await store.newsletterIssues.count(issue));
    return Object.fromEntries(all.filter(([, count]) => count > 0));
  }

  const subscriberReceiver = (
    name: 'newsletter' | 'confirmations',
    answer?: Parameters<typeof stubReceiver>[1],
  ) => ({
    ...stubReceiver(name, answer),
    isAtMostOnce: true,
  });
  const rejected = (isUnknown: boolean): Outcome => ({ kind: 'rejected', why: 'answered 550', isUnknown });

  describe('a confirmation', () => {
    test('goes to the address that signed up, with a token of which only the hash is stored', async () => {
      const receiver = subscriberReceiver('confirmations');
      await ask('ann');
      await start(receiver);
      await eventually(() => receiver.payloads.length).toBe(1);
      const { to, token, kind } = receiver.payloads[0] as ConfirmationPayload;
      expect({ kind, to }).toEqual({ kind: 'confirmation', to: 'ann@example.com' });
      expect(token).toMatch(/^[\w-]{43}$/);
      const tokens = await database.query('select hash, subscriber, expires_at from tokens');
      expect(tokens).toEqual([{ hash: hashToken(token), subscriber: 'ann', expires_at: at(now + 7 * day) }]);
      for (const { name } of await tables(database)) {
        expect(JSON.stringify(await database.query(`select * from ${name}`))).not.toContain(token);
      }
      expect(await confirmByTokenHash(store.subscribers, hashToken(token), at(now))).toBe(true);
    });

    test('that is rejected ends as dead, and the subscriber stays pending', async () => {
      await ask('ann');
      await start(subscriberReceiver('confirmations', rejected(true)));
      await eventually(() => store.outbox.count({ states: ['dead'] })).toBe(1);
      await Promise.all(workers.map(worker => worker.stop()));
      expect((await store.subscribers.get('ann'))?.state).toBe('pending');
    });

    test('is dropped when the subscriber left before it was sent', async () => {
      const receiver = subscriberReceiver('confirmations');
      await ask('ann');
      await unsubscribeById(store.subscribers, 'ann', at(now));
      await start(receiver);
      await eventually(() => store.outbox.count({ states: ['dropped'] })).toBe(1);
      expect(receiver.payloads).toEqual([]);
      expect(await database.query('select hash from tokens')).toEqual([]);
    });
  });

  describe('an issue', () => {
    test('goes once to every confirmed subscriber', async () => {
      const receiver = subscriberReceiver('newsletter');
      await subscribe('ann', 'bob');
      await ask('pending');
      const issue = await queue();
      const worker = await start(receiver);
      await eventually(() => counts(issue)).toEqual({ delivered: 2 });
      worker.wake();
      await worker.stop();
      expect(receiver.payloads.map(payload => (payload as NewsletterPayload).to).sort()).toEqual([
        'ann@example.com',
        'bob@example.com',
      ]);
      expect(receiver.payloads[0]).toMatchObject({ kind: 'issue', subject: 'News', html: '<p>News</p>' });
    });

    test('is dropped for subscribers who left or bounced after it was queued', async () => {
      const receiver = subscriberReceiver('newsletter');
      await subscribe('ann', 'bob', 'cas');
      const issue = await queue();
      await unsubscribeById(store.subscribers, 'ann', at(now));
      await suppressById(store.subscribers, 'bob', 'complaint', at(now));
      await start(receiver);
      await eventually(() => counts(issue)).toEqual({ delivered: 1, dropped: 2 });
      expect(receiver.payloads).toHaveLength(1);
    });

    test('that is unconfirmed is not sent again until the owner asks for it', async () => {
      const receiver = subscriberReceiver('newsletter', () =>
        Promise.resolve(receiver.payloads.length === 1 ? ambiguous : delivered),
      );
      await subscribe('ann', 'bob');
      const issue = await queue();
      const worker = await start(receiver);
      await eventually(() => counts(issue)).toEqual({ delivered: 1, unconfirmed: 1 });
      now += 30 * day;
      worker.wake();
      await eventually(() => counts(issue)).toEqual({ delivered: 1, unconfirmed: 1 });
      expect(receiver.payloads).toHaveLength(2);
      expect(await store.newsletterIssues.resendUnconfirmed(issue, at(now))).toBe(1);
      worker.wake();
      await eventually(() => counts(issue)).toEqual({ delivered: 2 });
    });

    test('whose process ended while sending is unconfirmed, and the others are sent', async () => {
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
      const receiver = subscriberReceiver('newsletter');
      await start(receiver);
      await eventually(() => counts(issue)).toEqual({ delivered: 2, unconfirmed: 1 });
      const unsure = await store.newsletterIssues.listDeliveries(issue, ['unconfirmed'], 10);
      expect(unsure).toMatchObject([{ subscriber: claimed[0]?.subscriber, attempts: 1 }]);
    });

    test('to an idempotent receiver, such as a file, is simply sent again', async () => {
      const receiver = { ...subscriberReceiver('newsletter'), isIdempotent: true };
      await subscribe('ann');
      const issue = await queue();
      await store.outbox.claim({
        ...{ receiver: 'newsletter', now: at(now), lease: 'gone', leaseUntil: at(now), limit: 1 },
      });
      await start(receiver);
      await eventually(() => counts(issue)).toEqual({ delivered: 1 });
    });

    test('that was aborted before anything was sent waits for the next process', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const receiver = subscriberReceiver('newsletter', (_, signal) => hang(_, signal).then(() => failed));
      await subscribe('ann');
      const issue = await queue();
      const worker = await start(receiver);
      await eventually(() => receiver.underWay()).toBe(1);
      const stopped = worker.stop();
      await vi.advanceTimersByTimeAsync(4000);
      await stopped;
      expect(await counts(issue)).toEqual({ waiting: 1 });
    });

    test.each([
      [true, 'suppressed'],
      [false, 'confirmed'],
    ])('that a mail server rejects ends as dead (unknown mailbox: %s)', async (isUnknown, state) => {
      const receiver = subscriberReceiver('newsletter', rejected(isUnknown));
      const mail = stubReceiver('mail');
      await subscribe('ann');
      const issue = await queue();
      await start(receiver, mail);
      await eventually(() => counts(issue)).toEqual({ dead: 1 });
      await eventually(async () => (await store.subscribers.get('ann'))?.state).toBe(state);
      expect(receiver.payloads).toHaveLength(1);
      // A single unreachable subscriber is not reported.
      expect(mail.payloads).toEqual([]);
    });

    test('that is held is not sent until it is released', async () => {
      const receiver = subscriberReceiver('newsletter');
      await subscribe('ann', 'bob');
      const issue = await queue();
      expect(await store.newsletterIssues.hold(issue, at(now))).toBe(2);
      const worker = await start(receiver);
      worker.wake();
      expect(await counts(issue)).toEqual({ held: 2 });
      await store.newsletterIssues.releaseHeld(issue, at(now));
      worker.wake();
      await eventually(() => counts(issue)).toEqual({ delivered: 2 });
    });

    test('that keeps failing is reported to the owner once', async () => {
      const why = 'answered 554 5.7.1';
      // What one subscriber's server refuses does not delay mail to the others.
      const receiver = subscriberReceiver('newsletter', {
        kind: 'failed',
        why,
        isAmbiguous: false,
        isDefinite: true,
      });
      const mail = stubReceiver('mail');
      await subscribe('ann', 'bob', 'cas', 'dee', 'eve');
      const issue = await queue();
      const worker = await start(receiver, mail);
      for (const tries of [5, 10, 15]) {
        await eventually(() => receiver.payloads.length).toBe(tries);
        await eventually(() => counts(issue)).toEqual({ waiting: 5 });
        expect(mail.payloads).toEqual([]);
        now += 60 * minute;
        worker.wake();
      }
      await eventually(() => mail.payloads).toMatchObject([
        { kind: 'notice', text: expect.stringContaining('5.7.1') },
      ]);
    });

    test('that is refused pauses only its own queue, and the owner is notified', async () => {
      const receiver = subscriberReceiver('newsletter', { kind: 'refused', why: 'answered 535' });
      const mail = stubReceiver('mail');
      const confirmations = subscriberReceiver('confirmations');
      await subscribe('ann');
      const issue = await queue();
      await ask('bob');
      await start(receiver, mail, confirmations);
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
