import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../tests/harness/databases.ts';
import {
  createOutboxFixture,
  eventually,
  hour,
  minute,
  second,
} from '../../../tests/harness/outbox-fixture.ts';
import { delivered, failed, misconfigured, stubReceiver } from '../../../tests/harness/stub-receiver.ts';
import type { Outcome } from './delivery.ts';
import { backoffDelay } from './retry-policy.ts';

const notice = (reason: string) => ({ kind: 'notice', text: expect.stringContaining(reason) });

describe.each(databaseUnderTest)('retries on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, events, waitUntilSettled, start } = fixture;

  test('a failure is tried again after 5 s, 15 s, 60 s, 5 m, 30 m, 2 h … 24 h, and then ends as failed; it is reported after half an hour, on the second day and at its end', async () => {
    const mail = stubReceiver('mail');
    const sheet = stubReceiver('sheet', failed);
    const worker = await start(sheet, mail);
    const reference = await add(['sheet']);
    const seconds = [5, 15, 60].map(n => n * second);
    const hours = [2, 5, 10, 14, 20, 24].map(n => n * hour);
    const schedule = [...seconds, 5 * minute, 30 * minute, ...hours];
    for (const [index, pause] of schedule.entries()) {
      worker.wake();
      const { due_at } = await waitUntilSettled(reference, { state: 'waiting', attempts: index + 1 });
      expect(Date.parse(due_at) - fixture.now).toBe(pause);
      fixture.now += pause;
    }
    worker.wake();
    await waitUntilSettled(reference, { state: 'failed', attempts: 12, last_failure: 'answered 503' });
    expect(sheet.payloads).toHaveLength(12);
    await eventually(() => mail.payloads.length).toBe(3);
    const titles = [/sheet fail$/, /sheet fail$/, /failed permanently$/];
    expect(mail.payloads).toMatchObject(
      titles.map(title => ({ ...notice('answered 503'), title: expect.stringMatching(title) })),
    );
  });

  test('a failure holds all waiting deliveries for as long as the receiver asked (Retry-After)', async () => {
    const sheet = stubReceiver('sheet', { ...failed, retryAfterMs: 10 * minute });
    const worker = await start(sheet);
    const first = await add(['sheet']);
    worker.wake();
    const { due_at } = await waitUntilSettled(first, { state: 'waiting', attempts: 1 });
    expect(Date.parse(due_at) - fixture.now).toBeGreaterThanOrEqual(10 * minute);
    await add(['sheet']);
    worker.wake();
    await worker.stop();
    expect(sheet.payloads).toHaveLength(1);
    fixture.now += 11 * minute;
    await start(sheet);
    await eventually(() => sheet.payloads.length).toBeGreaterThan(1);
  });

  test('a refusal pauses the receiver, loses nothing, and is reported once through the others; a restart resumes', async () => {
    const [mail, webhook] = [stubReceiver('mail'), stubReceiver('webhook')];
    const sheet = stubReceiver('sheet', misconfigured);
    const worker = await start(sheet, mail, webhook);
    const first = await add(['sheet']);
    worker.wake();
    await waitUntilSettled(first, { state: 'waiting', attempts: 0, last_failure: 'answered 401' });
    await eventually(() => mail.payloads).toMatchObject([notice('answered 401')]);
    await eventually(() => webhook.payloads).toMatchObject([notice('answered 401')]);
    const second = await add(['sheet', 'mail']);
    worker.wake();
    await waitUntilSettled(second, { state: 'delivered' }, 'mail');
    expect(sheet.payloads).toHaveLength(1);
    await worker.stop();

    fixture.now += minute;
    const again = await start(stubReceiver('sheet', misconfigured), mail);
    await eventually(() => events('receiver paused').length).toBe(2);
    await again.stop();
    await start(stubReceiver('sheet'));
    await waitUntilSettled(first, { state: 'delivered', attempts: 1 });
    await waitUntilSettled(second, { state: 'delivered', attempts: 1 });
    expect(await fixture.store.outbox.count({ receiver: 'webhook' })).toBe(1);
  });

  test('a delivery that is refused delays no other', async () => {
    const sheet = stubReceiver('sheet', ({ reference }) =>
      Promise.resolve(refused.includes(reference) ? failed : delivered),
    );
    const refused = [await add(['sheet']), await add(['sheet']), await add(['sheet'])];
    const worker = await start(sheet);
    for (const reference of refused) await waitUntilSettled(reference, { state: 'waiting', attempts: 1 });
    const accepted = await add(['sheet']);
    worker.wake();
    await waitUntilSettled(accepted, { state: 'delivered' });
  });

  test('a delivery that is refused and may have arrived is not sent again; the others continue', async () => {
    const flags = { isUnknownMailbox: false, isAmbiguous: true };
    const perhaps: Outcome = { kind: 'permanent', failure: { code: 'answered', status: 201 }, ...flags };
    const mail = stubReceiver('mail');
    const sheet = stubReceiver('sheet', ({ reference }) =>
      Promise.resolve(reference === rejected ? perhaps : delivered),
    );
    const worker = await start(sheet, mail);
    const [rejected, accepted] = [await add(['sheet']), await add(['sheet'])];
    worker.wake();
    await waitUntilSettled(rejected, { state: 'failed', attempts: 1, is_ambiguous: 1 });
    await waitUntilSettled(accepted, { state: 'delivered' });
    await eventually(() => mail.payloads).toMatchObject([notice('answered 201')]);
    expect(sheet.payloads).toHaveLength(2);
  });
});

test('a pause varies by a fifth, and is no shorter than the receiver asked for, up to a day', () => {
  const range = (failures: number, asked: number) =>
    [0, 1].map(chance => backoffDelay(failures, () => chance, asked));
  expect(range(4, minute)).toEqual([4 * minute, 6 * minute]);
  expect(range(1, 48 * hour)).toEqual([24 * hour, 24 * hour + 5 * second]);
});
