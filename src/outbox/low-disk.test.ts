import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUnderTest } from '../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, hour, minute } from '../../tests/harness/outbox-fixture.ts';
import { stubReceiver } from '../../tests/harness/stub-receiver.ts';
import { createDiskSpaceCheck } from '../deliveries/disk-space.ts';
import { createMailReceiver } from '../deliveries/mail/mail-receiver.ts';
import { createSheetReceiver } from '../deliveries/sheet/sheet-receiver.ts';

const day = 24 * hour;
const mb = 1024 * 1024;

describe.each(databaseUnderTest)('with little disk space left, on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { add, start, findDelivery } = fixture;
  let free = 0;

  beforeEach(() => {
    free = 499 * mb;
    const { dataDir } = fixture.database;
    for (const name of ['mail', 'messages.csv'])
      rmSync(join(dataDir, name), { recursive: true, force: true });
  });

  const lowSpace = () => createDiskSpaceCheck(fixture.database.dataDir, 500 * mb, async () => free)();
  const files = () => {
    const { dataDir } = fixture.database;
    const settings = { smtp: undefined, from: 'website@localhost', to: 'owner@localhost', perSecond: 100 };
    return [
      createSheetReceiver({ kind: 'file' }, { dataDir, lowSpace, messages: () => ReadableStream.from([]) }),
      createMailReceiver(settings, { dataDir, lowSpace }),
    ] as const;
  };
  const mails = () => {
    const folder = join(fixture.database.dataDir, 'mail');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const rows = (): (string | undefined)[] => {
    const file = join(fixture.database.dataDir, 'messages.csv');
    if (!existsSync(file)) return [];
    const found: Record<string, string>[] = parse(readFileSync(file), { bom: true, columns: true });
    return found.map(row => row.Reference);
  };
  const stopped = () => fixture.events('file copies stopped');

  test('copies wait for days without an attempt, and are written once there is space again', async () => {
    const webhook = stubReceiver('webhook');
    const references = await Promise.all([1, 2, 3].map(() => add(['sheet', 'mail', 'webhook'])));
    const worker = await start(...files(), webhook);
    for (const reference of references)
      await fixture.waitUntilSettled(reference, { state: 'delivered' }, 'webhook');
    fixture.now += 10 * day;
    worker.wake();
    await worker.stop();
    expect([...mails(), ...rows()]).toEqual([]);
    for (const reference of references) {
      for (const receiver of ['sheet', 'mail'] as const) {
        expect(await findDelivery(reference, receiver)).toMatchObject({
          state: 'waiting',
          attempts: 0,
          lease: null,
        });
      }
      expect(await fixture.store.outbox.listAttempts(reference)).toMatchObject([{ receiver: 'webhook' }]);
    }

    free = 500 * mb;
    await start(...files(), webhook);
    await eventually(() => mails().length).toBe(3);
    await eventually(() => rows().toSorted()).toEqual(references.toSorted());
    for (const reference of references)
      await fixture.waitUntilSettled(reference, { state: 'delivered', attempts: 1 }, 'mail');
    await eventually(() => fixture.store.outbox.count({ states: ['waiting', 'sending', 'failed'] })).toBe(0);
  });

  test('the owner is notified once a day by receivers that write no files, and the log says when copies resume', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const webhook = stubReceiver('webhook');
    await start(...files(), webhook);
    await eventually(() => webhook.payloads).toMatchObject([
      { kind: 'notice', text: expect.stringMatching(/499 MB.*500 MB/) },
    ]);
    expect(stopped()).toMatchObject([{ level: 'error', why: expect.stringMatching(/499 MB.*500 MB/) }]);
    await add(['sheet', 'mail', 'webhook']);
    await start(...files(), webhook);
    await vi.advanceTimersByTimeAsync(10 * minute);
    await eventually(() => webhook.payloads).toMatchObject([{ kind: 'notice' }, { kind: 'message' }]);
    // Each of the two processes logged it once.
    expect(stopped()).toHaveLength(2);
    expect(await fixture.store.outbox.list({ kinds: ['notice'] }, 10)).toHaveLength(1);
    expect(fixture.events('file copies resumed')).toEqual([]);

    free = 500 * mb;
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(minute);
      return fixture.events('file copies resumed');
    }).toHaveLength(2);
  });

  test('only the log reports it where every copy is a file', async () => {
    await start(...files());
    await eventually(() => fixture.events('no other receiver for the notice')).toMatchObject([
      { problem: 'disk' },
    ]);
    expect(stopped()).toHaveLength(1);
    expect(await fixture.store.outbox.count({})).toBe(0);
  });
});

test('a minimum of 0, or a disk that cannot be measured, stops nothing', async () => {
  expect(await createDiskSpaceCheck('.', 0, async () => 0)()).toBeUndefined();
  expect(await createDiskSpaceCheck('/nowhere/at/all', 500 * mb)()).toBeUndefined();
  expect(await createDiskSpaceCheck('.', Number.MAX_SAFE_INTEGER)()).toMatch(/^\d+ MB .* free/);
});
