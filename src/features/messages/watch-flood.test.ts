import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../tests/harness/databases.ts';
import { createOutboxFixture, minute } from '../../../tests/harness/outbox-fixture.ts';
import { stubReceiver } from '../../../tests/harness/stub-receiver.ts';
import { watchFlood } from './watch-flood.ts';

describe.each(databaseUnderTest)('a flood on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, clock, log, notify, events, waitUntilSettled, start } = fixture;

  const watch = (...names: ('sheet' | 'mail' | 'webhook')[]) =>
    watchFlood(
      { ...fixture.store, clock, log, notifyOwner: notify(names.map(name => stubReceiver(name))) },
      { windowMs: 10 * minute, max: 4 },
    );
  const addMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => add(['mail', 'sheet']))).then(all => all.sort());

  test('each message reaches the mailbox with its text, and the notice goes first', async () => {
    const references = await addMany(20);
    await watch('mail');
    const mail = stubReceiver('mail');
    await start(mail);
    for (const reference of references)
      await waitUntilSettled(reference, { state: 'delivered', attempts: 1 }, 'mail');
    const [notice, ...messages] = mail.payloads;
    expect(notice).toMatchObject({ kind: 'notice', title: expect.stringContaining('has begun') });
    expect(messages.map(({ reference }) => reference).sort()).toEqual(references);
    for (const message of messages) expect(message).toMatchObject({ message: expect.stringMatching(/./) });
  });

  test('is announced once when it begins and once when it ends, by mail and webhook', async () => {
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
    fixture.now += 9 * minute;
    await addMany(3);
    fixture.now += 2 * minute;
    await watchTogether();
    expect(events('flood ended')).toEqual([]);
    fixture.now += 8 * minute;
    await watchTogether();
    await watchTogether();
    expect(await listNotices()).toEqual(['mail', 'mail', 'webhook', 'webhook']);
    expect(events('flood ended')).toMatchObject([{ messages: 8, quarantined: 1 }]);
  });
});
