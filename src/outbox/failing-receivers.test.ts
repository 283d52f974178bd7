import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, minute } from '../../tests/harness/outbox-fixture.ts';
import { delivered, misconfigured, stubReceiver } from '../../tests/harness/stub-receiver.ts';
import type { Outcome, Payload } from '../deliveries/delivery.ts';

const no: Outcome = { kind: 'retry', why: 'answered 403', isAmbiguous: false, isRefused: true };
const isAttack = (payload: Payload) => payload.kind === 'message' && payload.message.includes('<script');
/** As a firewall does in front of a receiver. */
const firewall = (payload: Payload) => Promise.resolve(isAttack(payload) ? no : delivered);
const attack = { message: 'It says <script>' };

describe.each(databaseUnderTest)('a delivery that is refused on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, events, waitUntilSettled, start } = fixture;
  const failing = () => fixture.store.receivers.listFailing();
  /** In the order in which they were first tried. */
  const tried = ({ payloads }: { payloads: Payload[] }) => [
    ...new Set(payloads.map(({ reference }) => reference)),
  ];

  /** One after the other, as they are received. */
  async function addAll(count: number, about = {}): Promise<string[]> {
    const references: string[] = [];
    for (let index = 0; index < count; index += 1) {
      fixture.now += 1;
      references.push(await add(['sheet'], about));
    }
    return references;
  }

  test('with two more in a row makes the receiver failing: untried ones go out one a minute, also after a restart', async () => {
    const mail = stubReceiver('mail');
    const sheet = { ...stubReceiver('sheet', no), concurrency: 1 };
    const references = await addAll(6);
    let worker = await start(sheet, mail);
    // Three, and the first of those that go out one a minute.
    await eventually(() => sheet.payloads.length).toBe(4);
    await eventually(() => mail.payloads).toMatchObject([
      {
        kind: 'notice',
        title: 'Website: the sheet refuses deliveries',
        text: expect.stringContaining('403'),
      },
    ]);
    expect(events('receiver failing')).toMatchObject([{ receiver: 'sheet', why: 'answered 403' }]);
    expect(await failing()).toMatchObject([{ name: 'sheet', failing_why: 'answered 403' }]);

    for (const count of [4, 5]) {
      await waitUntilSettled(references[count - 1] as string, { state: 'waiting' });
      fixture.now += minute - 1;
      worker.wake();
      await worker.stop();
      expect(tried(sheet)).toEqual(references.slice(0, count));
      fixture.now += 1;
      worker = await start(sheet, mail);
      await eventually(() => tried(sheet)).toEqual(references.slice(0, count + 1));
    }
    expect(events('receiver failing')).toHaveLength(1);
    expect(await fixture.store.outbox.count({ receiver: 'mail' })).toBe(1);
  });

  test('of a receiver that works again: after the first acceptance all waiting deliveries are sent', async () => {
    let isMended = false;
    const sheet = stubReceiver('sheet', () => Promise.resolve(isMended ? delivered : no));
    const references = await addAll(8);
    const worker = await start(sheet);
    await eventually(failing).toHaveLength(1);
    await worker.stop();
    isMended = true;
    fixture.now += minute;
    await start(sheet);
    for (const reference of references) await waitUntilSettled(reference, { state: 'delivered' });
    expect(await failing()).toEqual([]);
  });

  test('among many refused ones: an accepted one is reached in its turn, and ends the failing state', async () => {
    const sheet = { ...stubReceiver('sheet', firewall), concurrency: 1 };
    await addAll(5, attack);
    const [accepted] = await addAll(1);
    const behind = [...(await addAll(2)), ...(await addAll(1, attack)), ...(await addAll(2))];
    const worker = await start(sheet);
    await eventually(() => tried(sheet).length).toBe(4);
    fixture.now += minute;
    worker.wake();
    await eventually(() => tried(sheet).length).toBe(5);
    fixture.now += minute;
    worker.wake();
    await waitUntilSettled(accepted as string, { state: 'delivered' });
    await eventually(() => tried(sheet).slice(-5)).toEqual(behind);
    expect(await failing()).toEqual([]);
  });

  test('does not end the failing state, and neither does a restart after a pause', async () => {
    const sheet = stubReceiver('sheet', no);
    await addAll(3);
    const worker = await start(sheet);
    await eventually(failing).toHaveLength(1);
    await worker.stop();
    await add(['sheet']);
    fixture.now += minute;
    const paused = await start(stubReceiver('sheet', misconfigured));
    await eventually(() => fixture.store.receivers.listPaused()).toHaveLength(1);
    await paused.stop();
    await (await start(stubReceiver('sheet', no))).stop();
    expect(events('receiver resumed')).toHaveLength(1);
    expect(await failing()).toHaveLength(1);
  });

  test('is reported by the next process if this one ended before it could', async () => {
    const refusal = { receiver: 'sheet', why: 'answered 404', now: fixture.clock.now().toISOString() };
    for (const _ of [1, 2, 3]) await fixture.store.receivers.countRefusal({ ...refusal, failingAfter: 3 });
    const mail = stubReceiver('mail');
    await start(stubReceiver('sheet'), mail);
    await eventually(() => mail.payloads).toMatchObject([{ text: expect.stringContaining('answered 404') }]);
  });

  test('and may have arrived is not sent again; the others continue', async () => {
    const perhaps: Outcome = {
      kind: 'permanent',
      why: 'answered 201',
      isUnknownMailbox: false,
      isAmbiguous: true,
    };
    const mail = stubReceiver('mail');
    const sheet = stubReceiver('sheet', payload => Promise.resolve(isAttack(payload) ? perhaps : delivered));
    const worker = await start(sheet, mail);
    const reference = await add(['sheet'], attack);
    const accepted = await add(['sheet']);
    worker.wake();
    await waitUntilSettled(reference, { state: 'failed', attempts: 1, is_ambiguous: 1 });
    await waitUntilSettled(accepted, { state: 'delivered' });
    await eventually(() => mail.payloads).toMatchObject([{ text: expect.stringContaining('answered 201') }]);
    expect(sheet.payloads).toHaveLength(2);
  });
});
