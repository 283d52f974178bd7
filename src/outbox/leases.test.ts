import { describe, expect, test, vi } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { newMessage } from '../../tests/harness/messages.ts';
import { eventually, hour, minute, openOffice } from '../../tests/harness/outbox.ts';
import { delivered, stub } from '../../tests/harness/receivers.ts';
import type { Outcome } from '../deliveries/delivery.ts';

describe.each(databases)('leases on $name', ({ create }) => {
  const office = openOffice(create);
  const { add, claim, deliveryOf, events, settled, start } = office;

  describe('a lease', () => {
    test('of a killed process expires, and its delivery is ambiguous', async () => {
      const reference = await add(['sheet']);
      await claim('of a process that was killed', 2 * minute);
      const sheet = stub('sheet');
      const worker = await start(sheet);
      const other = await add(['sheet']);
      worker.wake();
      await settled(other, { state: 'delivered' });
      expect(sheet.payloads).toHaveLength(1);
      office.now += 2 * minute;
      worker.wake();
      await settled(reference, { state: 'delivered', is_possibly_twice: 1 });
      expect(sheet.attempts.at(-1)).toEqual({ isPossibleDuplicate: true });
    });

    test('that expires again and again ends as dead without another attempt', async () => {
      const reference = await add(['sheet']);
      for (let kills = 0; kills < 11; kills += 1) {
        await claim('of a process that this payload ends', minute);
        office.now += minute;
      }
      const sheet = stub('sheet');
      await start(sheet);
      await settled(reference, { state: 'dead', last_failure: 'no attempt came to an end' });
      expect(sheet.payloads).toEqual([]);
    });

    test('is not lost when the database is unavailable while settling', async () => {
      const settle = vi
        .spyOn(office.store.outbox, 'settle')
        .mockRejectedValueOnce(new Error('connection lost'));
      const sheet = stub('sheet');
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.wake();
      await settled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 });
      expect([settle.mock.calls.length, sheet.payloads.length]).toEqual([2, 1]);
    });

    test('that another process took over is not settled', async () => {
      const door = Promise.withResolvers<Outcome>();
      const worker = await start(stub('sheet', () => door.promise));
      const reference = await add(['sheet']);
      worker.wake();
      await eventually(() => deliveryOf(reference)).toMatchObject({ state: 'sending' });
      office.now += 5 * minute;
      const [theirs] = await claim('of another', minute);
      door.resolve(delivered);
      await eventually(() => events('delivery settled by another').length).toBe(1);
      expect(await deliveryOf(reference)).toEqual(theirs);
    });

    test('that was claimed before a suspend is not used after it', async () => {
      const sheet = stub('sheet');
      const awake = performance.now();
      const time = vi.spyOn(performance, 'now').mockImplementation(() => awake);
      const get = vi.spyOn(office.store.messages, 'get').mockImplementationOnce(async () => {
        time.mockImplementation(() => awake + minute);
        return newMessage();
      });
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.wake();
      await settled(reference, { state: 'waiting', attempts: 1, is_ambiguous: 0 });
      expect([get.mock.calls.length, sheet.payloads.length]).toEqual([1, 0]);
    });

    test('that expired during a suspend is renewed by its own process: nothing is sent twice', async () => {
      const door = Promise.withResolvers<Outcome>();
      const sheet = stub('sheet', () => door.promise);
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.wake();
      await eventually(() => sheet.underWay()).toBe(1);
      const { lease } = await deliveryOf(reference);
      office.now += 24 * hour;
      worker.wake();
      await eventually(async () => (await deliveryOf(reference)).lease).not.toBe(lease);
      door.resolve(delivered);
      await settled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 });
      expect(sheet.payloads).toHaveLength(1);
    });
  });
});
