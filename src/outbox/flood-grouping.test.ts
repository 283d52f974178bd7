import { beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUnderTest } from '../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, minute, second } from '../../tests/harness/outbox-fixture.ts';
import { ambiguous, delivered, stubReceiver } from '../../tests/harness/stub-receiver.ts';
import type { MessageGroup, Outcome } from '../deliveries/delivery.ts';
import type { Delivery } from '../store/deliveries.ts';
import { watchFlood } from './flood-grouping.ts';

describe.each(databaseUnderTest)('mails during a flood on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, workerDeps, events, waitUntilSettled, start } = fixture;
  let elapsedMs = 0;

  beforeEach(() => {
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + elapsedMs);
  });

  function mailbox(...outcomes: Outcome[]) {
    const groups: MessageGroup[] = [];
    return {
      ...stubReceiver('mail'),
      groups,
      references: () => groups.map(({ messages }) => messages.map(({ reference }) => reference).sort()),
      async deliverGroup(group: MessageGroup): Promise<Outcome> {
        groups.push(group);
        return outcomes.shift() ?? delivered;
      },
    };
  }

  const watch = (...names: ('sheet' | 'mail' | 'webhook')[]) =>
    watchFlood(
      { ...workerDeps(names.map(name => stubReceiver(name))), wake: () => undefined },
      { windowMs: 10 * minute, max: 4 },
    );
  const addMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => add(['mail', 'sheet']))).then(all => all.sort());

  /** Messages that make one, with a worker that does not know of it yet. */
  async function flood(count = 5, ...names: Parameters<typeof watch>): Promise<string[]> {
    const references = await addMany(count);
    await watch(...names);
    expect(events('flood began')).toHaveLength(1);
    return references;
  }

  async function settled(references: string[], about: Partial<Delivery>): Promise<void> {
    for (const reference of references) await waitUntilSettled(reference, about, 'mail');
  }

  /** A queue that groups polls once a second, by the monotonic clock. */
  const later = (ms: number) => {
    fixture.now += ms;
    elapsedMs += second;
  };

  test('are grouped into one every ten minutes until its rest is sent; the sheet and notices are not grouped', async () => {
    const first = await flood(5, 'mail');
    const [mail, sheet] = [mailbox(), stubReceiver('sheet')];
    // Two processes: the turn is taken once.
    const worker = await start(mail, sheet);
    await start(mail, sheet);
    await settled(first, { state: 'delivered', attempts: 1 });
    expect(mail.references()).toEqual([first]);
    expect(mail.groups[0]).toMatchObject({ waiting: 0, hasTexts: true });

    // No lease is held while the clock jumps, or the other process would rightly take over.
    for (const reference of first) await waitUntilSettled(reference, { state: 'delivered' });
    later(9 * minute);
    const next = await addMany(3);
    worker.wake();
    await eventually(() => sheet.payloads.length).toBe(8);
    expect(mail.groups).toHaveLength(1);
    later(minute);
    worker.wake();
    await settled(next, { state: 'delivered' });
    expect(mail.references()).toEqual([first, next]);

    later(9 * minute);
    const left = await addMany(2);
    later(1.5 * minute);
    await watch();
    expect(events('flood ended')).toHaveLength(1);
    worker.wake();
    await settled(left, { state: 'delivered' });
    expect(mail.references()[2]).toEqual(left);
    later(second);
    const after = await addMany(2);
    worker.wake();
    await settled(after, { state: 'delivered' });
    expect(mail.groups).toHaveLength(3);
    // The first says that the flood has begun.
    expect(mail.payloads.map(({ kind }) => kind)).toEqual(['notice', 'message', 'message']);
  });

  test('that are refused twice list references only, so that one text cannot make all fail', async () => {
    const references = await flood();
    const rejected: Outcome = { kind: 'permanent', reason: 'answered 554', isUnknownMailbox: false };
    const mail = mailbox(rejected, rejected, delivered);
    const worker = await start(mail);
    await settled(references, { state: 'waiting', attempts: 1, last_failure: 'answered 554' });
    later(10 * minute);
    worker.wake();
    await settled(references, { state: 'delivered' });
    expect(mail.groups.map(({ hasTexts }) => hasTexts)).toEqual([true, true, false]);
  });

  test('that are unconfirmed, or whose process was killed, are resent as possible duplicates', async () => {
    const references = await flood();
    const [killed] = await fixture.claim('of one that was killed', 2 * minute, 'mail');
    later(2 * minute);
    const mail = mailbox(ambiguous);
    const worker = await start(mail);
    await settled(references, { state: 'waiting', is_ambiguous: 1 });
    const marked = () =>
      mail.groups.at(-1)?.messages.flatMap(one => (one.isPossibleDuplicate ? [one.reference] : []));
    expect(marked()).toEqual([killed?.reference]);
    later(20 * minute);
    worker.wake();
    await settled(references, { state: 'delivered', is_possible_duplicate: 1 });
    expect(marked()?.sort()).toEqual(references);
  });

  test('leave out messages that were erased or marked as spam', async () => {
    const [erased = '', spam = '', ...others] = await flood(7);
    await fixture.database.query(`delete from messages where reference = '${erased}'`);
    await fixture.database.query(`update messages set state = 'spam' where reference = '${spam}'`);
    const mail = mailbox();
    await start(mail);
    await settled(others, { state: 'delivered' });
    expect(mail.references()).toEqual([others]);
    await settled([erased], { state: 'failed' });
    await settled([spam], { state: 'cancelled' });
  });

  test('a flood is announced once when it begins and once when it ends, by mail and webhook', async () => {
    const watchTogether = () => Promise.all([1, 2, 3].map(() => watch('sheet', 'mail', 'webhook')));
    const listNotices = async () =>
      (await fixture.store.outbox.list({ kinds: ['notice'] }, 100)).map(({ receiver }) => receiver).sort();
    await addMany(3);
    await add([], { state: 'quarantined' });
    for (let count = 0; count < 5; count += 1) await add([], { state: 'empty' });
    await watchTogether();
    expect(await listNotices()).toEqual([]);
    await addMany(1);
    await watchTogether();
    await watchTogether();
    expect(await listNotices()).toEqual(['mail', 'webhook']);
    expect(events('flood began')).toMatchObject([{ messages: 5, quarantined: 1 }]);

    // It goes on at half its strength, and is then over.
    later(9 * minute);
    await addMany(3);
    later(2 * minute);
    await watchTogether();
    expect(events('flood ended')).toEqual([]);
    later(8 * minute);
    await watchTogether();
    await watchTogether();
    expect(await listNotices()).toEqual(['mail', 'mail', 'webhook', 'webhook']);
    expect(events('flood ended')).toMatchObject([{ messages: 8, quarantined: 1 }]);
  });
});
