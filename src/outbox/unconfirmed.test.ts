import { describe, expect, test } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { createOutboxFixture, second } from '../../tests/harness/outbox-fixture.ts';
import { ambiguous, delivered, failed, stubReceiver } from '../../tests/harness/stub-receiver.ts';
import type { Payload, Receiver } from '../deliveries/delivery.ts';

describe.each(databases)('after an attempt that may have arrived, on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, waitUntilSettled, start } = fixture;

  test('a receiver with a lookup is asked first, and gets nothing if it is there', async () => {
    const lookups: string[] = [];
    const sheet = { ...stubReceiver('sheet', ambiguous), find: findIn(lookups, true) };
    const reference = await failOnce(sheet);
    await waitUntilSettled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 0 });
    expect([lookups.length, sheet.payloads.length]).toEqual([1, 1]);
  });

  test('it is sent again, not as a possible duplicate, if it is not there', async () => {
    const lookups: string[] = [];
    const sheet = stubReceiver('sheet', () =>
      Promise.resolve(sheet.payloads.length === 1 ? ambiguous : delivered),
    );
    const reference = await failOnce({ ...sheet, find: findIn(lookups, false) });
    await waitUntilSettled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 0 });
    expect([lookups.length, sheet.payloads.length]).toEqual([1, 2]);
  });

  test('it is not sent while the lookup fails', async () => {
    const sheet = {
      ...stubReceiver('sheet', ambiguous),
      find: () => Promise.reject(new Error('no list today')),
    };
    const reference = await failOnce(sheet);
    await waitUntilSettled(reference, {
      state: 'waiting',
      attempts: 2,
      is_ambiguous: 1,
      last_failure: 'could not be asked: no list today',
    });
    expect(sheet.payloads).toHaveLength(1);
  });

  test('a receiver without a lookup gets it as a possible duplicate, which is stored', async () => {
    const sheet = stubReceiver('sheet', () =>
      Promise.resolve(sheet.payloads.length === 1 ? ambiguous : delivered),
    );
    const reference = await failOnce(sheet);
    await waitUntilSettled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 1 });
    expect(sheet.attempts).toEqual([{ isPossibleDuplicate: false }, { isPossibleDuplicate: true }]);
  });

  test('an idempotent receiver is simply sent to again', async () => {
    const lookups: string[] = [];
    const sheet = stubReceiver('sheet', () =>
      Promise.resolve(sheet.payloads.length === 1 ? ambiguous : delivered),
    );
    const reference = await failOnce({ ...sheet, isIdempotent: true, find: findIn(lookups, true) });
    await waitUntilSettled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 0 });
    expect(lookups).toEqual([]);
    expect(sheet.attempts).toEqual([{ isPossibleDuplicate: false }, { isPossibleDuplicate: false }]);
  });

  test('an unambiguous failure is retried, not as a possible duplicate', async () => {
    const sheet = stubReceiver('sheet', () =>
      Promise.resolve(sheet.payloads.length === 1 ? failed : delivered),
    );
    const reference = await failOnce(sheet);
    await waitUntilSettled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 0 });
  });

  async function failOnce(receiver: Receiver): Promise<string> {
    const worker = await start(receiver);
    const reference = await add(['sheet']);
    worker.wake();
    await waitUntilSettled(reference, { attempts: 1 });
    fixture.now += 10 * second;
    worker.wake();
    return reference;
  }

  function findIn(lookups: string[], isThere: boolean) {
    return async ({ reference }: Payload) => {
      lookups.push(reference);
      return isThere;
    };
  }
});
