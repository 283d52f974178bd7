import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, hour, minute } from '../../../tests/harness/outbox-fixture.ts';
import { stubReceiver } from '../../../tests/harness/stub-receiver.ts';
import type { Payload } from '../../core/outbox/delivery.ts';

describe.each(databaseUnderTest)('the digest on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, start } = fixture;

  const quarantine = () => add([], { state: 'quarantined', quarantine_reason: 'flood' });

  test('is mailed once an hour over all processes, if any message was quarantined', async () => {
    const [mail, sheet] = [stubReceiver('mail'), stubReceiver('sheet')];
    const startThree = async () => {
      const started = await Promise.all([1, 2, 3].map(() => start(mail, sheet)));
      await Promise.all(started.map(worker => worker.stop()));
    };
    const first = await quarantine();
    fixture.now += minute;
    await startThree();
    await start(mail);
    await eventually(() => mail.payloads.length).toBe(1);
    expect(mail.payloads[0]).toMatchObject({ text: expect.stringContaining(first) });

    const next = await quarantine();
    fixture.now += 50 * minute;
    const newest = await quarantine();
    await startThree();
    expect(mail.payloads).toHaveLength(1);
    // Within the hour, including the minute until the digest is due.
    fixture.now += 8 * minute;
    await start(mail);
    await eventually(() => mail.payloads.length).toBe(2);
    const later = (mail.payloads[1] as Payload & { text: string }).text;
    expect(later).not.toContain(first);
    expect(later).toMatch(new RegExp(`${newest}.*${next}`, 's'));

    fixture.now += 24 * hour;
    await startThree();
    expect([mail.payloads.length, sheet.payloads.length]).toEqual([2, 0]);
  });
});
