import { describe, expect, test } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { eventually, hour, minute, openOffice, second } from '../../tests/harness/outbox.ts';
import { failed, refused, stub } from '../../tests/harness/receivers.ts';
import type { Outcome, Payload } from '../deliveries/delivery.ts';
import type { Delivery } from '../store/deliveries.ts';
import { createMaintenanceJobs } from './maintenance-jobs.ts';
import type { Worker } from './worker.ts';

describe.each(databases)('retries on $name', ({ create }) => {
  const office = openOffice(create);
  const { add, claim, depsOf, events, settled, start } = office;

  describe('a failure', () => {
    test('is tried again after 5 s, 5 m, 30 m, 2 h … 24 h, and then ends as dead and is reported', async () => {
      const mail = stub('mail');
      const sheet = stub('sheet', failed);
      const worker = await start(sheet, mail);
      const reference = await add(['sheet']);
      const schedule = [5 * second, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map(n => n * hour)];
      for (const [index, pause] of schedule.entries()) {
        worker.wake();
        const { due_at } = await settled(reference, { state: 'waiting', attempts: index + 1 });
        expect(Date.parse(due_at) - office.now).toBe(pause);
        office.now += pause;
      }
      worker.wake();
      await settled(reference, { state: 'dead', attempts: 10, last_failure: 'answered 503' });
      expect(sheet.payloads).toHaveLength(10);
      await eventually(() => mail.payloads).toMatchObject([{ kind: 'notice' }]);
      expect(mail.payloads[0]).toMatchObject({
        title: 'Website: a delivery to the sheet was given up',
        text: expect.stringContaining('answered 503'),
      });
    });

    test('is not retried before it is due', async () => {
      const sheet = stub('sheet', failed);
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.wake();
      await settled(reference, { attempts: 1 });
      office.now += 5 * second - 1;
      const other = await add(['sheet']);
      worker.wake();
      await settled(other, { attempts: 1 });
      expect(sheet.payloads.map(payload => payload.reference)).toEqual([reference, other]);
    });

    test('waits as long as the receiver asks for', async () => {
      const worker = await start(stub('sheet', { ...failed, retryAfterMs: hour }));
      const reference = await add(['sheet']);
      worker.wake();
      const { due_at } = await settled(reference, { state: 'waiting', attempts: 1 });
      expect(Date.parse(due_at) - office.now).toBeGreaterThanOrEqual(hour);
    });

    test('holds all waiting deliveries for as long as the receiver asked (Retry-After)', async () => {
      const sheet = stub('sheet', { ...failed, retryAfterMs: 10 * minute });
      const worker = await start(sheet);
      const first = await add(['sheet']);
      worker.wake();
      await settled(first, { state: 'waiting', attempts: 1 });
      await add(['sheet']);
      worker.wake();
      await worker.stop();
      expect(sheet.payloads).toHaveLength(1);
      office.now += 11 * minute;
      await start(sheet);
      await eventually(() => sheet.payloads.length).toBeGreaterThan(1);
    });

    test('that was the last is reported once a day to every other receiver', async () => {
      const [mail, webhook] = [stub('mail'), stub('webhook')];
      const worker = await start(stub('sheet', failed), mail, webhook);
      const notices = () => [mail, webhook].map(({ payloads }) => payloads.length);
      await giveUpOne(worker);
      await eventually(notices).toEqual([1, 1]);
      office.now += hour;
      await giveUpOne(worker);
      await giveUpOne(worker);
      office.now += 24 * hour;
      await giveUpOne(worker);
      await eventually(notices).toEqual([2, 2]);
    });

    test('that was the last is reported by the next process if this one ended before it could', async () => {
      await add(['sheet']);
      const [claimed] = await claim('of a process that ended', 0);
      const dead = {
        state: 'dead',
        attempts: 10,
        why: 'answered 410',
        now: office.clock.now().toISOString(),
      } as const;
      await office.store.outbox.settle(claimed as Delivery, {
        ...dead,
        isAmbiguous: false,
        isPossibleDuplicate: false,
      });
      const mail = stub('mail');
      await start(stub('sheet'), mail);
      await expect
        .poll(() => mail.payloads)
        .toMatchObject([{ text: expect.stringContaining('answered 410') }]);
      await start(stub('sheet'), mail);
      await settled((mail.payloads[0] as Payload).reference, { state: 'delivered' }, 'mail');
      expect(await office.store.outbox.count({ receiver: 'mail' })).toBe(1);
    });

    /** At its tenth attempt. */
    async function giveUpOne(worker: Worker): Promise<void> {
      // Not due until it is what this is about: the worker may look at any time.
      const reference = await add(['sheet'], { received_at: new Date(office.now + hour).toISOString() });
      const due = office.clock.now().toISOString();
      await office.database.query(
        `update deliveries set attempts = 9, due_at = '${due}' where reference = '${reference}'`,
      );
      worker.wake();
      await settled(reference, { state: 'dead' });
    }
  });

  describe('a refusal', () => {
    test('pauses the receiver, loses nothing, and is reported once through the others; a restart resumes', async () => {
      const [mail, webhook] = [stub('mail'), stub('webhook')];
      const sheet = stub('sheet', refused);
      const worker = await start(sheet, mail, webhook);
      const first = await add(['sheet']);
      worker.wake();
      await settled(first, { state: 'waiting', attempts: 0, last_failure: 'answered 401' });
      await eventually(() => [mail.payloads.length, webhook.payloads.length]).toEqual([1, 1]);
      expect(mail.payloads[0]).toMatchObject({
        kind: 'notice',
        title: 'Website: deliveries to the sheet are paused',
        text: expect.stringContaining('answered 401'),
      });

      const second = await add(['sheet', 'mail']);
      worker.wake();
      await settled(second, { state: 'delivered' }, 'mail');
      expect(sheet.payloads).toHaveLength(1);
      await worker.stop();

      office.now += minute;
      const again = await start(stub('sheet', refused), mail);
      await eventually(() => events('receiver paused').length).toBe(2);
      await again.stop();
      await start(stub('sheet'));
      await settled(first, { state: 'delivered', attempts: 1 });
      await settled(second, { state: 'delivered', attempts: 1 });
      expect(await office.store.outbox.count({ receiver: 'webhook' })).toBe(1);
    });

    test('is reported again when it happens again, at most every few minutes', async () => {
      const mail = stub('mail');
      const refuseOnce = async () => {
        const worker = await start(stub('sheet', refused), mail);
        await eventually(() => office.store.receivers.listPaused()).toHaveLength(1);
        return worker;
      };
      await add(['sheet']);
      await (await refuseOnce()).stop();
      await eventually(() => office.store.outbox.count({ receiver: 'mail' })).toBe(1);
      office.now += 20 * minute;
      await (await refuseOnce()).stop();
      await eventually(() => office.store.outbox.count({ receiver: 'mail' })).toBe(2);
      office.now += minute;
      await (await refuseOnce()).stop();
      expect(await office.store.outbox.count({ receiver: 'mail' })).toBe(2);
      // The next maintenance run finds that this one was not reported.
      office.now += 3 * minute;
      await createMaintenanceJobs(depsOf([stub('sheet'), mail]), () => undefined).run();
      expect(await office.store.outbox.count({ receiver: 'mail' })).toBe(3);
    });

    test('of several concurrent deliveries is one pause', async () => {
      const doors = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()] as const;
      const sheet = stub('sheet', () => (doors[sheet.payloads.length - 1] ?? doors[0]).promise);
      const worker = await start(sheet, stub('mail'));
      const references = [await add(['sheet']), await add(['sheet'])];
      worker.wake();
      await eventually(() => sheet.underWay()).toBe(2);
      for (const { resolve } of doors) resolve(refused);
      for (const reference of references) await settled(reference, { state: 'waiting', attempts: 0 });
      expect(events('receiver paused')).toHaveLength(1);
      expect(await office.store.outbox.count({ receiver: 'mail' })).toBe(1);
    });
  });
});
