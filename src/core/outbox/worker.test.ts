import { describe, expect, test, vi } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import {
  createOutboxFixture,
  eventually,
  hour,
  minute,
  second,
} from '../../../tests/harness/outbox-fixture.ts';
import { ambiguous, delivered, failed, hang, stubReceiver } from '../../../tests/harness/stub-receiver.ts';
import type { Outcome, Receiver } from './delivery.ts';
import { backoffDelays } from './retry-policy.ts';

const [once, twice] = [{ isPossibleDuplicate: false }, { isPossibleDuplicate: true }];

describe.each(databases)('the worker on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, claim, findDelivery, events, waitUntilSettled, start } = fixture;

  test('delivers a message to every receiver, exactly as it was stored, and once', async () => {
    const [sheet, mail] = [stubReceiver('sheet'), stubReceiver('mail')];
    const worker = await start(sheet, mail);
    const reference = await add(['sheet', 'mail'], { message: 'one\r\n\u202etwo 👩🏽‍💻' });
    worker.wake();
    for (const name of ['sheet', 'mail'] as const)
      await waitUntilSettled(reference, { state: 'delivered', attempts: 1, is_possible_duplicate: 0 }, name);
    worker.wake();
    await worker.stop();
    for (const { payloads } of [sheet, mail]) {
      expect(payloads).toEqual([
        {
          ...{ kind: 'message', reference, receivedAt: fixture.clock.now().toISOString() },
          ...{ name: 'Zoë', email: 'zoe@example.com', message: 'one\r\n\u202etwo 👩🏽‍💻', service: '' },
        },
      ]);
    }
  });

  test('a receiver that hangs or throws delays no other', async () => {
    const door = Promise.withResolvers<Outcome>();
    const hanging = stubReceiver('sheet', () => door.promise);
    const worker = await start(
      hanging,
      stubReceiver('mail'),
      stubReceiver('webhook', () => Promise.reject(Error('a bug'))),
    );
    const references = await Promise.all([1, 2, 3].map(() => add(['sheet', 'mail', 'webhook'])));
    worker.wake();
    for (const reference of references) {
      await waitUntilSettled(reference, { state: 'delivered' }, 'mail');
      await waitUntilSettled(reference, { state: 'waiting', attempts: 1, is_ambiguous: 1 }, 'webhook');
    }
    // Each queue claims for itself: this one may be slower than the others.
    await eventually(() => hanging.underWay()).toBe(2);
    expect(events('receiver failed unexpectedly')).toHaveLength(3);
    door.resolve(delivered);
  });

  test('respects the concurrency of a receiver, and continues as soon as one ends', async () => {
    const doors: PromiseWithResolvers<Outcome>[] = [];
    const sheet = stubReceiver('sheet', () => doors[doors.push(Promise.withResolvers()) - 1]?.promise);
    for (let count = 0; count < 4; count += 1) await add(['sheet']);
    await start(sheet);
    for (const started of [2, 3, 4]) {
      await eventually(() => doors.length).toBe(started);
      expect(sheet.underWay()).toBeLessThanOrEqual(2);
      doors[started - 2]?.resolve(delivered);
    }
    doors.at(-1)?.resolve(delivered);
    await eventually(() => fixture.store.outbox.count({ states: ['delivered'] })).toBe(4);
  });

  test('does not retry a message that was marked as spam meanwhile, nor send one that was erased, and reports neither', async () => {
    const [erased, spam] = [await add(['sheet']), await add(['sheet'])];
    await fixture.database.query(`delete from messages where reference = '${erased}'`);
    const sheet = stubReceiver('sheet', async () => {
      expect(await fixture.store.messages.markSpam(spam, fixture.clock.now().toISOString())).toBe(true);
      return failed;
    });
    const worker = await start(sheet, stubReceiver('mail'));
    await waitUntilSettled(erased, { state: 'failed', last_failure: 'its message was erased' });
    await waitUntilSettled(spam, { state: 'waiting', attempts: 1 });
    fixture.now += hour;
    worker.wake();
    await waitUntilSettled(spam, { state: 'cancelled', last_failure: 'no longer wanted' });
    await worker.stop();
    await (await start(sheet, stubReceiver('mail'))).stop();
    expect(sheet.payloads.map(({ reference }) => reference)).toEqual([spam]);
    expect(await fixture.store.outbox.count({ receiver: 'mail' })).toBe(0);
  });

  test('an attempt that takes too long is aborted and frees its slot', async () => {
    const tooLong = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(tooLong.signal);
    const sheet = stubReceiver('sheet', (_, signal) =>
      sheet.payloads.length === 1 ? hang(_, signal) : undefined,
    );
    const worker = await start({ ...sheet, concurrency: 1 });
    const references = [await add(['sheet'])];
    worker.wake();
    await eventually(() => sheet.underWay()).toBe(1);
    references.push(await add(['sheet']));
    tooLong.abort();
    await waitUntilSettled(references[0] as string, { state: 'waiting', is_ambiguous: 1 });
    await waitUntilSettled(references[1] as string, { state: 'delivered' });
  });

  describe('a lease', () => {
    test('that expires again and again ends as failed without another attempt', async () => {
      const reference = await add(['sheet']);
      for (let kills = 0; kills < backoffDelays.length + 2; kills += 1) {
        await claim('of a process that this payload ends', minute);
        fixture.now += minute;
      }
      const sheet = stubReceiver('sheet');
      await start(sheet);
      await waitUntilSettled(reference, { state: 'failed', last_failure: 'no attempt finished' });
      expect(sheet.payloads).toEqual([]);
    });

    test('is not lost when the database is unavailable while settling', async () => {
      const settle = vi
        .spyOn(fixture.store.outbox, 'settle')
        .mockRejectedValueOnce(new Error('connection lost'));
      const sheet = stubReceiver('sheet');
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.wake();
      await waitUntilSettled(reference, { state: 'delivered', attempts: 1, is_possible_duplicate: 0 });
      expect([settle.mock.calls.length, sheet.payloads.length]).toEqual([2, 1]);
    });

    test('that expired during a suspend is renewed by its own process: nothing is sent twice', async () => {
      const door = Promise.withResolvers<Outcome>();
      const sheet = stubReceiver('sheet', () => door.promise);
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.wake();
      await eventually(() => sheet.underWay()).toBe(1);
      const { lease } = await findDelivery(reference);
      fixture.now += 24 * hour;
      worker.wake();
      await eventually(async () => (await findDelivery(reference)).lease).not.toBe(lease);
      door.resolve(delivered);
      await waitUntilSettled(reference, { state: 'delivered', attempts: 1, is_possible_duplicate: 0 });
      expect(sheet.payloads).toHaveLength(1);
    });
  });

  describe('after an attempt that may have arrived', () => {
    async function failOnce(receiver: Receiver): Promise<string> {
      const worker = await start(receiver);
      const reference = await add(['sheet']);
      worker.wake();
      await waitUntilSettled(reference, { attempts: 1 });
      fixture.now += 10 * second;
      worker.wake();
      return reference;
    }

    test.each<[string, Outcome, Partial<Receiver>, object[]]>([
      ['a receiver that finds it gets nothing more', ambiguous, { find: async () => true }, []],
      ['a receiver that does not find it gets it again', ambiguous, { find: async () => false }, [once]],
      ['a receiver without a lookup gets it as a possible duplicate', ambiguous, {}, [twice]],
      ['an idempotent receiver is simply sent to again', ambiguous, { isIdempotent: true }, [once]],
      ['an unambiguous failure is retried, not as a possible duplicate', failed, {}, [once]],
    ])('%s', async (_, first, about, resent) => {
      const sheet = stubReceiver('sheet', () =>
        Promise.resolve(sheet.payloads.length === 1 ? first : delivered),
      );
      const reference = await failOnce({ ...sheet, ...about });
      const is_possible_duplicate = Number(resent.includes(twice));
      await waitUntilSettled(reference, { state: 'delivered', attempts: 2, is_possible_duplicate });
      expect(sheet.attempts).toEqual([once, ...resent]);
    });

    test('it is not sent while the lookup fails', async () => {
      const sheet = stubReceiver('sheet', ambiguous);
      const find = () => Promise.reject(new Error('no list today'));
      const reference = await failOnce({ ...sheet, find });
      await waitUntilSettled(reference, {
        ...{ state: 'waiting', attempts: 2, is_ambiguous: 1 },
        last_failure: 'attempt not made: no list today',
      });
      expect(sheet.payloads).toHaveLength(1);
    });
  });

  describe('stopping', () => {
    test('waits for deliveries in progress, settles them, and claims nothing more', async () => {
      const door = Promise.withResolvers<Outcome>();
      const sheet = stubReceiver('sheet', () => door.promise);
      const worker = await start({ ...sheet, concurrency: 1 });
      const references = [await add(['sheet']), await add(['sheet'])];
      worker.wake();
      await eventually(() => sheet.underWay()).toBe(1);
      const stopped = worker.stop();
      door.resolve(delivered);
      await stopped;
      worker.wake();
      const states = await Promise.all(references.map(async one => (await findDelivery(one)).state));
      expect(states.sort()).toEqual(['delivered', 'waiting']);
      expect(sheet.payloads).toHaveLength(1);
    });

    test.each([
      ['observes the signal', hang],
      ['ignores the signal', () => new Promise<Outcome>(() => undefined)],
    ])('aborts a receiver that %s after a while, and leaves it to be retried', async (_, deliver) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const sheet = stubReceiver('sheet', deliver);
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.wake();
      await eventually(() => sheet.underWay()).toBe(1);
      const stopped = worker.stop();
      await vi.advanceTimersByTimeAsync(3900);
      expect(await Promise.race([stopped, 'not yet'])).toBe('not yet');
      await vi.advanceTimersByTimeAsync(100);
      await vi.advanceTimersByTimeAsync(1000);
      await stopped;
      await waitUntilSettled(reference, { state: 'waiting', attempts: 1, is_ambiguous: 1 });
    });
  });
});
