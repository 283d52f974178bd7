import { describe, expect, test, vi } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, hour, minute } from '../../tests/harness/outbox-fixture.ts';
import { newMessage } from '../../tests/harness/sample-message.ts';
import { delivered, stubReceiver } from '../../tests/harness/stub-receiver.ts';
import type { Outcome } from '../deliveries/delivery.ts';

describe.each(databases)('leases on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, claim, findDelivery, events, waitUntilSettled, start } = fixture;

  describe('a lease', () => {
    test('of a killed process expires, and its delivery is ambiguous', async () => {
      const reference = await add(['sheet']);
      await claim('of a process that was killed', 2 * minute);
      const sheet = stubReceiver('sheet');
      const worker = await start(sheet);
      const other = await add(['sheet']);
      worker.wake();
      await waitUntilSettled(other, { state: 'delivered' });
      expect(sheet.payloads).toHaveLength(1);
      fixture.now += 2 * minute;
      worker.wake();
      await waitUntilSettled(reference, { state: 'delivered', is_possibly_twice: 1 });
      expect(sheet.attempts.at(-1)).toEqual({ isPossibleDuplicate: true });
    });

    test('that expires again and again ends as failed without another attempt', async () => {
      const reference = await add(['sheet']);
      for (let kills = 0; kills < 11; kills += 1) {
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
      await waitUntilSettled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 });
      expect([settle.mock.calls.length, sheet.payloads.length]).toEqual([2, 1]);
    });

    test('that another process took over is not settled', async () => {
      const door = Promise.withResolvers<Outcome>();
      const worker = await start(stubReceiver('sheet', () => door.promise));
      const reference = await add(['sheet']);
      worker.wake();
      await eventually(() => findDelivery(reference)).toMatchObject({ state: 'sending' });
      fixture.now += 5 * minute;
      const [theirs] = await claim('of another', minute);
      door.resolve(delivered);
      await eventually(() => events('lease lost').length).toBe(1);
      expect(await findDelivery(reference)).toEqual(theirs);
    });

    test('that was claimed before a suspend is not used after it', async () => {
      const sheet = stubReceiver('sheet');
      const awake = performance.now();
      const time = vi.spyOn(performance, 'now').mockImplementation(() => awake);
      const get = vi.spyOn(fixture.store.messages, 'get').mockImplementationOnce(async () => {
        time.mockImplementation(() => awake + minute);
        return newMessage();
      });
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.wake();
      await waitUntilSettled(reference, { state: 'waiting', attempts: 1, is_ambiguous: 0 });
      expect([get.mock.calls.length, sheet.payloads.length]).toEqual([1, 0]);
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
      await waitUntilSettled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 });
      expect(sheet.payloads).toHaveLength(1);
    });
  });
});
