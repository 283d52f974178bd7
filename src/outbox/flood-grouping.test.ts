import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, minute, second } from '../../tests/harness/outbox-fixture.ts';
import { newMessage } from '../../tests/harness/sample-message.ts';
import { stubReceiver } from '../../tests/harness/stub-receiver.ts';
import type { NoticePayload } from '../deliveries/delivery.ts';
import type { MessageState } from '../store/tables.ts';
import { watchFlood } from './flood-grouping.ts';

const limits = { windowMs: 10 * minute, max: 20 };

describe.each(databaseUnderTest)('a flood on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { workerDeps, events, start } = fixture;
  const names = ['sheet', 'mail', 'webhook'] as const;

  const arrive = (count: number, state: MessageState = 'new') =>
    Promise.all(
      Array.from({ length: count }, () =>
        fixture.store.messages.add(newMessage({ state, received_at: fixture.clock.now().toISOString() })),
      ),
    );

  /** As three processes do it at once. */
  const watch = (given: typeof limits | undefined = limits) =>
    Promise.all(
      [1, 2, 3].map(() =>
        watchFlood({ ...workerDeps(names.map(name => stubReceiver(name))), wake: () => undefined }, given),
      ),
    );

  async function listNotices(): Promise<string[]> {
    const rows = await fixture.store.outbox.list({ kinds: ['notice'] }, 100);
    const oldestFirst = rows.toReversed();
    return oldestFirst.map(
      ({ receiver, payload }) => `${receiver}: ${(JSON.parse(payload ?? '{}') as NoticePayload).title}`,
    );
  }

  const begun = ['webhook', 'mail'].map(name => `${name}: Website: a flood of messages has begun`);
  const ended = ['webhook', 'mail'].map(name => `${name}: Website: a flood of messages has ended`);

  test('is announced once when it begins and once when it ends, by mail and webhook, with the command that undoes it', async () => {
    await arrive(17);
    await arrive(3, 'quarantined');
    await arrive(50, 'empty');
    await watch();
    expect(await listNotices()).toEqual([]);
    await arrive(1, 'quarantined');
    await watch();
    await watch();
    expect(await listNotices()).toEqual(begun);
    expect(events('flood began')).toMatchObject([{ messages: 21, quarantined: 4 }]);

    const [mail, webhook, sheet] = [stubReceiver('mail'), stubReceiver('webhook'), stubReceiver('sheet')];
    const worker = await start(mail, webhook, sheet);
    for (const { payloads } of [mail, webhook]) {
      await eventually(() => payloads.length).toBe(1);
      const { text } = payloads[0] as NoticePayload;
      expect(text).toContain('21 messages have come since 2026-01-02T02:54Z, 4 of them are in quarantine');
      expect(text).toContain('npm run inbox -- release --reason flood --since 2026-01-02T02:54Z');
    }
    expect(sheet.payloads).toEqual([]);
    await worker.stop();

    // It goes on at half its strength, and is then over.
    fixture.now += 9 * minute;
    await arrive(11, 'quarantined');
    fixture.now += 2 * minute;
    await watch();
    expect(await listNotices()).toEqual(begun);
    fixture.now += 8 * minute;
    await watch();
    await watch();
    expect(await listNotices()).toEqual([...begun, ...ended]);
    expect(events('flood ended')).toMatchObject([{ messages: 32, quarantined: 15 }]);
  });

  test('can begin again after it ended', async () => {
    for (const expected of [begun, [...begun, ...ended, ...begun]]) {
      fixture.now += second;
      await arrive(21);
      await watch();
      expect(await listNotices()).toEqual(expected);
      fixture.now += 10 * minute + second;
      await watch();
    }
    expect(events('flood ended')).toHaveLength(2);
  });

  test('ends when the limits are switched off', async () => {
    await arrive(21);
    await watch();
    await watchFlood({ ...workerDeps([stubReceiver('mail')]), wake: () => undefined }, undefined);
    expect(events('flood ended')).toHaveLength(1);
    await watchFlood({ ...workerDeps([stubReceiver('mail')]), wake: () => undefined }, undefined);
    expect(events('flood ended')).toHaveLength(1);
  });
});
