import { describe, expect, test, vi } from 'vitest';
import { databaseUnderTest } from '../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, minute } from '../../tests/harness/outbox-fixture.ts';
import { stubReceiver } from '../../tests/harness/stub-receiver.ts';
import { createDiskSpaceCheck } from '../deliveries/disk-space.ts';

const mb = 1024 * 1024;

describe.each(databaseUnderTest)('with little disk space left, on $name', ({ create }) => {
  const { start, events } = createOutboxFixture(create);

  test('the owner is notified once a day over all processes, and the log says when copies resume', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const disk = { free: 499 * mb };
    const checkDiskSpace = createDiskSpaceCheck('.', 500 * mb, async () => disk.free);
    const webhook = stubReceiver('webhook');
    for (const _ of [1, 2]) await start({ ...stubReceiver('sheet'), checkDiskSpace }, webhook);
    await vi.advanceTimersByTimeAsync(10 * minute);
    await eventually(() => events('file copies paused')).toHaveLength(2);
    disk.free = 500 * mb;
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(minute);
      return events('file copies resumed');
    }).toHaveLength(2);
    expect(webhook.payloads).toMatchObject([
      { kind: 'notice', text: expect.stringMatching(/499 MB.*500 MB/) },
    ]);
  });
});

test('a minimum of 0, or a disk that cannot be measured, stops nothing', async () => {
  expect(await createDiskSpaceCheck('.', 0, async () => 0)()).toBeUndefined();
  expect(await createDiskSpaceCheck('/nowhere/at/all', 500 * mb)()).toBeUndefined();
  expect(await createDiskSpaceCheck('.', Number.MAX_SAFE_INTEGER)()).toMatch(/^\d+ MB .* free/);
});
