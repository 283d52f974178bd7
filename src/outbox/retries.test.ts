import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, hour, minute, second } from '../../tests/harness/outbox-fixture.ts';
import { failed, misconfigured, stubReceiver } from '../../tests/harness/stub-receiver.ts';
import type { Payload } from '../deliveries/delivery.ts';
import type { Delivery } from '../store/deliveries.ts';
import { createMaintenanceJobs } from './maintenance-jobs.ts';
import type { Worker } from './worker.ts';

describe.each(databaseUnderTest)('retries on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, claim, workerDeps, events, waitUntilSettled, start } = fixture;

  describe('a failure', () => {
    test('is tried again after 5 s, 5 m, 30 m, 2 h … 24 h, and then ends as failed and is reported', async () => {
      const mail = stubReceiver('mail');
      const sheet = stubReceiver('sheet', failed);
      const worker = await start(sheet, mail);
      const reference = await add(['sheet']);
      const schedule = [5 * second, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map(n => n * hour)];
      for (const [index, pause] of schedule.entries()) {
        worker.wake();
        const { due_at } = await waitUntilSettled(reference, { state: 'waiting', attempts: index + 1 });
        expect(Date.parse(due_at) - fixture.now).toBe(pause);
        fixture.now += pause;
      }
      worker.wake();
      await waitUntilSettled(reference, { state: 'failed', attempts: 10, last_failure: 'answered 503' });
      expect(sheet.payloads).toHaveLength(10);
      await eventually(() => mail.payloads).toMatchObject([{ kind: 'notice' }]);
      expect(mail.payloads[0]).toMatchObject({
        title: 'Website: a delivery to the sheet failed permanently',
        text: expect.stringContaining('answered 503'),
      });
    });

    test('holds all waiting deliveries for as long as the receiver asked (Retry-After)', async () => {
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

    test('that was the last is reported once a day to every other receiver', async () => {
      const [mail, webhook] = [stubReceiver('mail'), stubReceiver('webhook')];
      const worker = await start(stubReceiver('sheet', failed), mail, webhook);
      const notices = () => [mail, webhook].map(({ payloads }) => payloads.length);
      await giveUpOne(worker);
      await eventually(notices).toEqual([1, 1]);
      fixture.now += hour;
      await giveUpOne(worker);
      await giveUpOne(worker);
      fixture.now += 24 * hour;
      await giveUpOne(worker);
      await eventually(notices).toEqual([2, 2]);
    });

    test('that was the last is reported by the next process if this one ended before it could', async () => {
      await add(['sheet']);
      const [claimed] = await claim('of a process that ended', 0);
      const failed = {
        state: 'failed',
        attempts: 10,
        why: 'answered 410',
        now: fixture.clock.now().toISOString(),
      } as const;
      await fixture.store.outbox.settle(claimed as Delivery, {
        ...failed,
        isAmbiguous: false,
        isPossibleDuplicate: false,
      });
      const mail = stubReceiver('mail');
      await start(stubReceiver('sheet'), mail);
      await expect
        .poll(() => mail.payloads)
        .toMatchObject([{ text: expect.stringContaining('answered 410') }]);
      await start(stubReceiver('sheet'), mail);
      await waitUntilSettled((mail.payloads[0] as Payload).reference, { state: 'delivered' }, 'mail');
      expect(await fixture.store.outbox.count({ receiver: 'mail' })).toBe(1);
    });

    /** At its tenth attempt. */
    async function giveUpOne(worker: Worker): Promise<void> {
      // Not due until it is what this is about: the worker may look at any time.
      const reference = await add(['sheet'], { received_at: new Date(fixture.now + hour).toISOString() });
      const due = fixture.clock.now().toISOString();
      await fixture.database.query(
        `update deliveries set attempts = 9, due_at = '${due}' where reference = '${reference}'`,
      );
      worker.wake();
      await waitUntilSettled(reference, { state: 'failed' });
    }
  });

  describe('a refusal', () => {
    test('pauses the receiver, loses nothing, and is reported once through the others; a restart resumes', async () => {
      const [mail, webhook] = [stubReceiver('mail'), stubReceiver('webhook')];
      const sheet = stubReceiver('sheet', misconfigured);
      const worker = await start(sheet, mail, webhook);
      const first = await add(['sheet']);
      worker.wake();
      await waitUntilSettled(first, { state: 'waiting', attempts: 0, last_failure: 'answered 401' });
      await eventually(() => [mail.payloads.length, webhook.payloads.length]).toEqual([1, 1]);
      expect(mail.payloads[0]).toMatchObject({
        kind: 'notice',
        title: 'Website: deliveries to the sheet are paused',
        text: expect.stringContaining('answered 401'),
      });

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

    test('is reported again when it happens again, at most every few minutes', async () => {
      const mail = stubReceiver('mail');
      const refuseOnce = async () => {
        const worker = await start(stubReceiver('sheet', misconfigured), mail);
        await eventually(() => fixture.store.receivers.listPaused()).toHaveLength(1);
        return worker;
      };
      await add(['sheet']);
      await (await refuseOnce()).stop();
      await eventually(() => fixture.store.outbox.count({ receiver: 'mail' })).toBe(1);
      fixture.now += 20 * minute;
      await (await refuseOnce()).stop();
      await eventually(() => fixture.store.outbox.count({ receiver: 'mail' })).toBe(2);
      fixture.now += minute;
      await (await refuseOnce()).stop();
      expect(await fixture.store.outbox.count({ receiver: 'mail' })).toBe(2);
      // The next maintenance run finds that this one was not reported.
      fixture.now += 3 * minute;
      await createMaintenanceJobs(workerDeps([stubReceiver('sheet'), mail]), () => undefined).run();
      expect(await fixture.store.outbox.count({ receiver: 'mail' })).toBe(3);
    });
  });
});
