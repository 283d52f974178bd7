import { describe, expect, test, vi } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, hour } from '../../tests/harness/outbox-fixture.ts';
import { delivered, failed, hang, stubReceiver } from '../../tests/harness/stub-receiver.ts';
import type { Outcome } from '../deliveries/delivery.ts';

describe.each(databases)('the worker on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, findDelivery, events, waitUntilSettled, start } = fixture;

  test('delivers a message to every receiver, exactly as it was stored, and once', async () => {
    const [sheet, mail] = [stubReceiver('sheet'), stubReceiver('mail')];
    const worker = await start(sheet, mail);
    const reference = await add(['sheet', 'mail'], { message: 'one\r\n\u202etwo 👩🏽‍💻' });
    worker.wake();
    await waitUntilSettled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 }, 'sheet');
    await waitUntilSettled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 }, 'mail');
    worker.wake();
    await worker.stop();
    for (const { payloads } of [sheet, mail]) {
      expect(payloads).toEqual([
        {
          kind: 'message',
          reference,
          receivedAt: fixture.clock.now().toISOString(),
          name: 'Zoë',
          email: 'zoe@example.com',
          message: 'one\r\n\u202etwo 👩🏽‍💻',
          service: '',
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
    const doors = Array.from({ length: 5 }, () => Promise.withResolvers<Outcome>());
    const sheet = stubReceiver(
      'sheet',
      () => (doors[sheet.payloads.length - 1] as (typeof doors)[number]).promise,
    );
    const worker = await start(sheet);
    for (const _ of doors) await add(['sheet']);
    worker.wake();
    await eventually(() => sheet.payloads.length).toBe(2);
    for (const [index, { resolve }] of doors.entries()) {
      expect(sheet.underWay()).toBeLessThanOrEqual(2);
      resolve(delivered);
      await eventually(() => sheet.payloads.length).toBe(Math.min(5, index + 3));
    }
    await eventually(() => fixture.store.outbox.count({ states: ['delivered'] })).toBe(5);
  });

  test('respects the rate of a receiver', async () => {
    const [sheet, mail] = [{ ...stubReceiver('sheet'), perSecond: 0.01 }, stubReceiver('mail')];
    const worker = await start(sheet, mail);
    for (let index = 0; index < 8; index += 1) await add(['sheet', 'mail']);
    worker.wake();
    await eventually(() => fixture.store.outbox.count({ receiver: 'mail', states: ['delivered'] })).toBe(8);
    await eventually(() => sheet.payloads.length).toBe(1);
    worker.wake();
    await worker.stop();
    expect(sheet.payloads).toHaveLength(1);
  });

  test('polls for what another process stored, and no more often than needed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const claims = vi.spyOn(fixture.store.outbox, 'claim');
    const sheet = stubReceiver('sheet');
    await start(sheet);
    await vi.waitFor(() => expect(claims).toHaveBeenCalledTimes(1), { timeout: 10_000 });
    const later = await add(['sheet'], { received_at: new Date(fixture.now + hour).toISOString() });
    const reference = await add(['sheet']);
    await vi.waitFor(
      async () => {
        await vi.advanceTimersByTimeAsync(1000);
        expect(sheet.payloads).toMatchObject([{ reference }]);
      },
      { timeout: 10_000 },
    );
    await fixture.store.receivers.pause('sheet', 'answered 401', fixture.clock.now().toISOString());
    fixture.now += 2 * hour;
    claims.mockClear();
    let seconds = 0;
    while (claims.mock.calls.length < 3 && seconds < 1000) {
      await vi.advanceTimersByTimeAsync(1000);
      seconds += 1;
      // The database answers by a clock of its own.
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    }
    expect(claims).toHaveBeenCalledTimes(3);
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(await findDelivery(later)).toMatchObject({ state: 'waiting' });
  });

  test('logs deliveries that wait for a receiver that is no longer configured', async () => {
    await add(['webhook']);
    await start(stubReceiver('sheet'));
    expect(events('deliveries wait for a receiver that is not configured')).toMatchObject([
      { level: 'warn', receiver: 'webhook' },
    ]);
  });

  test('does not retry a message that was marked as spam meanwhile', async () => {
    const sheet = stubReceiver('sheet', async () => {
      expect(await fixture.store.messages.markSpam(reference, fixture.clock.now().toISOString())).toBe(true);
      return failed;
    });
    const reference = await add(['sheet']);
    const worker = await start(sheet);
    await waitUntilSettled(reference, { state: 'waiting', attempts: 1 });
    fixture.now += hour;
    worker.wake();
    await waitUntilSettled(reference, { state: 'dropped', last_failure: 'no longer wanted' });
    expect(sheet.payloads).toHaveLength(1);
    expect(events('delivery failed permanently')).toEqual([]);
  });

  test('ends a delivery whose message was erased, without a notice', async () => {
    const [sheet, mail] = [stubReceiver('sheet'), stubReceiver('mail')];
    const reference = await add(['sheet']);
    await fixture.database.query(`delete from messages where reference = '${reference}'`);
    const worker = await start(sheet, mail);
    await waitUntilSettled(reference, { state: 'failed', last_failure: 'its message was erased' });
    await worker.stop();
    await (await start(sheet, mail)).stop();
    expect(sheet.payloads).toEqual([]);
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

    test('waits for a claim in progress and its delivery', async () => {
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { claim } = fixture.store.outbox;
      vi.spyOn(fixture.store.outbox, 'claim').mockImplementationOnce(async wanted => {
        asked.resolve();
        await answered.promise;
        return claim(wanted);
      });
      const reference = await add(['sheet']);
      const worker = await start(stubReceiver('sheet'));
      await asked.promise;
      const stopped = worker.stop();
      answered.resolve();
      await stopped;
      expect(await findDelivery(reference)).toMatchObject({ state: 'delivered' });
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
      let isStopped = false;
      const stopped = worker.stop().then(() => {
        isStopped = true;
      });
      await vi.advanceTimersByTimeAsync(3900);
      expect(isStopped).toBe(false);
      await vi.advanceTimersByTimeAsync(100);
      await vi.advanceTimersByTimeAsync(1000);
      await stopped;
      await waitUntilSettled(reference, { state: 'waiting', attempts: 1, is_ambiguous: 1 });
    });
  });
});
