import { describe, expect, test, vi } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { createOutboxFixture, second } from '../../tests/harness/outbox-fixture.ts';
import { ambiguous, delivered, failed, stubReceiver } from '../../tests/harness/stub-receiver.ts';
import type { Outcome, Receiver } from '../deliveries/delivery.ts';

describe.each(databases)('after an attempt that may have arrived, on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, waitUntilSettled, start } = fixture;

  /** The first attempt ends with this outcome, and the next is delivered. */
  const receiverAfter = (first: Outcome) => {
    const sheet = stubReceiver('sheet', () =>
      Promise.resolve(sheet.payloads.length === 1 ? first : delivered),
    );
    return sheet;
  };

  async function failOnce(receiver: Receiver): Promise<string> {
    const worker = await start(receiver);
    const reference = await add(['sheet']);
    worker.wake();
    await waitUntilSettled(reference, { attempts: 1 });
    fixture.now += 10 * second;
    worker.wake();
    return reference;
  }

  test.each([
    ['a receiver that finds it gets nothing more', true, { lookups: 1, sent: 1 }],
    ['a receiver that does not find it gets it again', false, { lookups: 1, sent: 2 }],
  ])('%s', async (_, isFound, expected) => {
    const sheet = receiverAfter(ambiguous);
    const find = vi.fn(async () => isFound);
    const reference = await failOnce({ ...sheet, find });
    await waitUntilSettled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 0 });
    expect({ lookups: find.mock.calls.length, sent: sheet.payloads.length }).toEqual(expected);
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

  test.each([
    ['a receiver without a lookup gets it as a possible duplicate', ambiguous, false, true],
    ['an idempotent receiver is simply sent to again', ambiguous, true, false],
    ['an unambiguous failure is retried, not as a possible duplicate', failed, false, false],
  ])('%s', async (_, first, isIdempotent, isPossibleDuplicate) => {
    const sheet = receiverAfter(first);
    const reference = await failOnce({ ...sheet, isIdempotent });
    const is_possibly_twice = Number(isPossibleDuplicate);
    await waitUntilSettled(reference, { state: 'delivered', attempts: 2, is_possibly_twice });
    expect(sheet.attempts).toEqual([{ isPossibleDuplicate: false }, { isPossibleDuplicate }]);
  });
});
