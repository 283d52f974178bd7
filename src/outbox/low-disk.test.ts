import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { eventually, hour, minute, openOffice } from '../../tests/harness/outbox.ts';
import { stub } from '../../tests/harness/receivers.ts';
import { createDiskSpaceCheck } from '../deliveries/disk-space.ts';
import { createMailReceiver } from '../deliveries/mail/mail-receiver.ts';
import { createSheetReceiver } from '../deliveries/sheet/sheet-receiver.ts';

const day = 24 * hour;
const mb = 1024 * 1024;

describe.each(databases)('with little disk space left, on $name', ({ create }) => {
  const office = openOffice(create);
  const { add, start, deliveryOf } = office;
  let free = 0;

  beforeEach(() => {
    free = 499 * mb;
    const { dataDir } = office.database;
    for (const name of ['mail', 'messages.csv'])
      rmSync(join(dataDir, name), { recursive: true, force: true });
  });

  const lowSpace = () => createDiskSpaceCheck(office.database.dataDir, 500 * mb, async () => free)();
  const files = () => {
    const { dataDir } = office.database;
    const settings = { smtp: undefined, from: 'website@localhost', to: 'owner@localhost', perSecond: 100 };
    return [
      createSheetReceiver({ kind: 'file' }, { dataDir, lowSpace, messages: () => ReadableStream.from([]) }),
      createMailReceiver(settings, { dataDir, lowSpace }),
    ] as const;
  };
  const mails = () => {
    const folder = join(office.database.dataDir, 'mail');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const rows = (): (string | undefined)[] => {
    const file = join(office.database.dataDir, 'messages.csv');
    if (!existsSync(file)) return [];
    const found: Record<string, string>[] = parse(readFileSync(file), { bom: true, columns: true });
    return found.map(row => row.Reference);
  };
  const stopped = () => office.events('file copies stopped');

  test('copies wait for days without an attempt, and are written once there is space again', async () => {
    const webhook = stub('webhook');
    const references = await Promise.all([1, 2, 3].map(() => add(['sheet', 'mail', 'webhook'])));
    const worker = await start(...files(), webhook);
    for (const reference of references) await office.settled(reference, { state: 'delivered' }, 'webhook');
    for (let days = 0; days < 10; days++) {
      office.now += day;
      worker.wake();
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    expect([...mails(), ...rows()]).toEqual([]);
    for (const reference of references) {
      for (const receiver of ['sheet', 'mail'] as const) {
        expect(await deliveryOf(reference, receiver)).toMatchObject({
          state: 'waiting',
          attempts: 0,
          lease: null,
        });
      }
      expect(await office.store.outbox.listAttempts(reference)).toMatchObject([{ receiver: 'webhook' }]);
    }

    free = 500 * mb;
    worker.wake();
    await eventually(() => mails().length).toBe(3);
    await eventually(() => rows().toSorted()).toEqual(references.toSorted());
    for (const reference of references)
      await office.settled(reference, { state: 'delivered', attempts: 1 }, 'mail');
    await eventually(() => office.store.outbox.count({ states: ['waiting', 'sending', 'dead'] })).toBe(0);
  });

  test('the owner is notified once a day by receivers that write no files, and the log says when copies resume', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const webhook = stub('webhook');
    await start(...files(), webhook);
    await eventually(() => webhook.payloads).toMatchObject([
      { kind: 'notice', text: expect.stringMatching(/499 MB.*500 MB/) },
    ]);
    expect(stopped()).toMatchObject([{ level: 'error', why: expect.stringMatching(/499 MB.*500 MB/) }]);
    await add(['sheet', 'mail', 'webhook']);
    await start(...files(), webhook);
    await vi.advanceTimersByTimeAsync(10 * minute);
    await eventually(() => webhook.payloads).toMatchObject([{ kind: 'notice' }, { kind: 'message' }]);
    // Two processes looked, each said so once.
    expect(stopped()).toHaveLength(2);
    expect(await office.store.outbox.list({ kinds: ['notice'] }, 10)).toHaveLength(1);
    expect(office.events('file copies resumed')).toEqual([]);

    free = 500 * mb;
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(minute);
      return office.events('file copies resumed');
    }).toHaveLength(2);
  });

  test('only the log reports it where every copy is a file', async () => {
    await start(...files());
    await eventually(() => office.events('no other receiver for the notice')).toMatchObject([
      { problem: 'disk' },
    ]);
    expect(stopped()).toHaveLength(1);
    expect(await office.store.outbox.count({})).toBe(0);
  });
});

test('a minimum of 0, or a disk that cannot be measured, stops nothing', async () => {
  expect(await createDiskSpaceCheck('.', 0, async () => 0)()).toBeUndefined();
  expect(await createDiskSpaceCheck('/nowhere/at/all', 500 * mb)()).toBeUndefined();
  expect(await createDiskSpaceCheck('.', Number.MAX_SAFE_INTEGER)()).toMatch(/^\d+ MB .* free/);
});
