import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { newMessage } from '../../tests/harness/messages.ts';
import { ambiguous, delivered, hang, stub } from '../../tests/harness/receivers.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import type { Outcome, Parcel, Receiver, ReceiverName } from '../deliveries/delivery.ts';
import { randomIds } from '../lib/ids.ts';
import type { NewMessage } from '../store/messages.ts';
import { openStore, type Store } from '../store/open.ts';
import type { Delivery } from '../store/outbox.ts';
import { createChores } from './chores.ts';
import { createWorker, type Worker, type WorkerDeps } from './worker.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const failed: Outcome = { kind: 'failed', why: 'answered 503', isAmbiguous: false };
const refused: Outcome = { kind: 'refused', why: 'answered 401' };

describe.each(databases)('the worker on $name', ({ create }) => {
  const { log, lines } = collectLog();
  let database: TestDatabase;
  let store: Store;
  let now: number;
  const clock = { now: () => new Date(now) };
  let workers: Worker[] = [];

  beforeAll(async () => {
    database = await create();
    store = await openStore({
      ...testConfig(database.env),
      onError: error => expect.unreachable(error.message),
    });
  });
  beforeEach(({ onTestFailed }) => {
    now = Date.UTC(2026, 0, 2, 3, 4, 5);
    lines.length = 0;
    // What a worker did is in its log alone.
    onTestFailed(() => void process.stdout.write(lines.join('')));
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await Promise.all(workers.map(worker => worker.stop()));
    workers = [];
    for (const table of ['messages', 'deliveries', 'receivers', 'chores']) {
      await database.query(`delete from ${table}`);
    }
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  function depsOf(receivers: Receiver[]): WorkerDeps {
    const { messages, outbox, subscribers, issues } = store;
    return {
      messages,
      outbox,
      subscribers,
      issues,
      receivers,
      clock,
      ids: randomIds,
      log,
      random: () => 0.5,
    };
  }

  function build(...receivers: Receiver[]): Worker {
    const worker = createWorker(depsOf(receivers));
    workers.push(worker);
    return worker;
  }

  async function start(...receivers: Receiver[]): Promise<Worker> {
    const worker = build(...receivers);
    await worker.start();
    return worker;
  }

  async function add(to: ReceiverName[], about: Partial<NewMessage> = {}): Promise<string> {
    const message = newMessage({ received_at: clock.now().toISOString(), receivers: to, ...about });
    await store.messages.add(message);
    return message.reference;
  }

  async function deliveryOf(reference: string, receiver: ReceiverName = 'sheet'): Promise<Delivery> {
    return (await store.outbox.list({ reference, receiver }, 1))[0] as Delivery;
  }

  /** Waits until it is settled, as one attempt after another leaves it. */
  async function settled(reference: string, about: Partial<Delivery>, receiver: ReceiverName = 'sheet') {
    await eventually(() => deliveryOf(reference, receiver)).toMatchObject({ lease: null, ...about });
    return deliveryOf(reference, receiver);
  }

  const events = (event: string) => lines.map(line => JSON.parse(line)).filter(line => line.event === event);

  test('delivers a message to every receiver, exactly as it was stored, and once', async () => {
    const [sheet, mail] = [stub('sheet'), stub('mail')];
    const worker = await start(sheet, mail);
    const reference = await add(['sheet', 'mail'], { message: 'one\r\n\u202etwo 👩🏽‍💻' });
    worker.nudge();
    await settled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 }, 'sheet');
    await settled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 }, 'mail');
    worker.nudge();
    await worker.stop();
    for (const { parcels } of [sheet, mail]) {
      expect(parcels).toEqual([
        {
          kind: 'message',
          reference,
          receivedAt: clock.now().toISOString(),
          name: 'Zoë',
          email: 'zoe@example.com',
          message: 'one\r\n\u202etwo 👩🏽‍💻',
          service: '',
        },
      ]);
    }
  });

  test('delivers at its start what another process stored', async () => {
    const reference = await add(['sheet']);
    await start(stub('sheet'));
    await settled(reference, { state: 'delivered' });
  });

  test('lets a receiver that hangs, or throws, delay no other', async () => {
    const door = Promise.withResolvers<Outcome>();
    const hanging = stub('sheet', () => door.promise);
    const worker = await start(
      hanging,
      stub('mail'),
      stub('webhook', () => Promise.reject(Error('a bug'))),
    );
    const references = await Promise.all([1, 2, 3].map(() => add(['sheet', 'mail', 'webhook'])));
    worker.nudge();
    for (const reference of references) {
      await settled(reference, { state: 'delivered' }, 'mail');
      await settled(reference, { state: 'waiting', attempts: 1, is_ambiguous: 1 }, 'webhook');
    }
    expect(hanging.underWay()).toBe(2);
    expect(events('receiver failed unexpectedly')).toHaveLength(3);
    door.resolve(delivered);
  });

  test('begins no more at once than a receiver bears, and goes on as soon as one ends', async () => {
    const doors = Array.from({ length: 5 }, () => Promise.withResolvers<Outcome>());
    const sheet = stub('sheet', () => (doors[sheet.parcels.length - 1] as (typeof doors)[number]).promise);
    const worker = await start(sheet);
    for (const _ of doors) await add(['sheet']);
    worker.nudge();
    await eventually(() => sheet.parcels.length).toBe(2);
    for (const [index, { resolve }] of doors.entries()) {
      expect(sheet.underWay()).toBeLessThanOrEqual(2);
      resolve(delivered);
      await eventually(() => sheet.parcels.length).toBe(Math.min(5, index + 3));
    }
    await eventually(() => store.outbox.count({ states: ['delivered'] })).toBe(5);
  });

  test('begins no more in a time than a receiver bears', async () => {
    const [sheet, mail] = [{ ...stub('sheet'), perSecond: 0.01 }, stub('mail')];
    const worker = await start(sheet, mail);
    for (let index = 0; index < 8; index += 1) await add(['sheet', 'mail']);
    worker.nudge();
    await eventually(() => store.outbox.count({ receiver: 'mail', states: ['delivered'] })).toBe(8);
    await eventually(() => sheet.parcels.length).toBe(1);
    worker.nudge();
    await worker.stop();
    expect(sheet.parcels).toHaveLength(1);
  });

  describe('a failure', () => {
    test('is tried again after 5 s, 5 m, 30 m, 2 h … 24 h, and then given up, kept and told', async () => {
      const mail = stub('mail');
      const sheet = stub('sheet', failed);
      const worker = await start(sheet, mail);
      const reference = await add(['sheet']);
      const schedule = [5 * second, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map(n => n * hour)];
      for (const [index, pause] of schedule.entries()) {
        worker.nudge();
        const { due_at } = await settled(reference, { state: 'waiting', attempts: index + 1 });
        expect(Date.parse(due_at) - now).toBe(pause);
        now += pause;
      }
      worker.nudge();
      await settled(reference, { state: 'dead', attempts: 10, last_failure: 'answered 503' });
      expect(sheet.parcels).toHaveLength(10);
      await eventually(() => mail.parcels).toMatchObject([{ kind: 'notice' }]);
      expect(mail.parcels[0]).toMatchObject({
        title: 'Website: a delivery to the sheet was given up',
        text: expect.stringContaining('answered 503'),
      });
    });

    test('is not tried again before its time', async () => {
      const sheet = stub('sheet', failed);
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.nudge();
      await settled(reference, { attempts: 1 });
      now += 5 * second - 1;
      const other = await add(['sheet']);
      worker.nudge();
      await settled(other, { attempts: 1 });
      expect(sheet.parcels.map(parcel => parcel.reference)).toEqual([reference, other]);
    });

    test('waits as long as the receiver asks for', async () => {
      const worker = await start(stub('sheet', { ...failed, retryAfterMs: hour }));
      const reference = await add(['sheet']);
      worker.nudge();
      const { due_at } = await settled(reference, { state: 'waiting', attempts: 1 });
      expect(Date.parse(due_at) - now).toBeGreaterThanOrEqual(hour);
    });

    test('holds back all that waits for as long as the receiver asked', async () => {
      const sheet = stub('sheet', { ...failed, retryAfterMs: 10 * minute });
      const worker = await start(sheet);
      const first = await add(['sheet']);
      worker.nudge();
      await settled(first, { state: 'waiting', attempts: 1 });
      await add(['sheet']);
      worker.nudge();
      await worker.stop();
      expect(sheet.parcels).toHaveLength(1);
      now += 11 * minute;
      await start(sheet);
      await eventually(() => sheet.parcels.length).toBeGreaterThan(1);
    });

    test('that was the last is told once a day, however many there are, to every other receiver', async () => {
      const [mail, webhook] = [stub('mail'), stub('webhook')];
      const worker = await start(stub('sheet', failed), mail, webhook);
      const notices = () => [mail, webhook].map(({ parcels }) => parcels.length);
      await giveUpOne(worker);
      await eventually(notices).toEqual([1, 1]);
      now += hour;
      await giveUpOne(worker);
      await giveUpOne(worker);
      now += 24 * hour;
      await giveUpOne(worker);
      await eventually(notices).toEqual([2, 2]);
    });

    test('that was the last is told by the next process when this one ended before it could', async () => {
      await add(['sheet']);
      const [claimed] = await claim('of a process that ended', 0);
      const dead = {
        state: 'dead',
        attempts: 10,
        why: 'answered 410',
        now: clock.now().toISOString(),
      } as const;
      await store.outbox.settle(claimed as Delivery, { ...dead, isAmbiguous: false, isPossiblyTwice: false });
      const mail = stub('mail');
      await start(stub('sheet'), mail);
      await expect
        .poll(() => mail.parcels)
        .toMatchObject([{ text: expect.stringContaining('answered 410') }]);
      await start(stub('sheet'), mail);
      await settled((mail.parcels[0] as Parcel).reference, { state: 'delivered' }, 'mail');
      expect(await store.outbox.count({ receiver: 'mail' })).toBe(1);
    });

    /** At its tenth attempt. */
    async function giveUpOne(worker: Worker): Promise<void> {
      // Not due until it is what this is about: the worker may look at any time.
      const reference = await add(['sheet'], { received_at: new Date(now + hour).toISOString() });
      const due = clock.now().toISOString();
      await database.query(
        `update deliveries set attempts = 9, due_at = '${due}' where reference = '${reference}'`,
      );
      worker.nudge();
      await settled(reference, { state: 'dead' });
    }
  });

  describe('a refusal', () => {
    test('pauses the receiver, loses nothing, and is told once through the others; a restart resumes', async () => {
      const [mail, webhook] = [stub('mail'), stub('webhook')];
      const sheet = stub('sheet', refused);
      const worker = await start(sheet, mail, webhook);
      const first = await add(['sheet']);
      worker.nudge();
      await settled(first, { state: 'waiting', attempts: 0, last_failure: 'answered 401' });
      await eventually(() => [mail.parcels.length, webhook.parcels.length]).toEqual([1, 1]);
      expect(mail.parcels[0]).toMatchObject({
        kind: 'notice',
        title: 'Website: deliveries to the sheet are paused',
        text: expect.stringContaining('answered 401'),
      });

      const second = await add(['sheet', 'mail']);
      worker.nudge();
      await settled(second, { state: 'delivered' }, 'mail');
      expect(sheet.parcels).toHaveLength(1);
      await worker.stop();

      now += minute;
      const again = await start(stub('sheet', refused), mail);
      await eventually(() => events('receiver paused').length).toBe(2);
      await again.stop();
      await start(stub('sheet'));
      await settled(first, { state: 'delivered', attempts: 1 });
      await settled(second, { state: 'delivered', attempts: 1 });
      expect(await store.outbox.count({ receiver: 'webhook' })).toBe(1);
    });

    test('is told again when it comes again, and within minutes when it comes again at once', async () => {
      const mail = stub('mail');
      const refuseOnce = async () => {
        const worker = await start(stub('sheet', refused), mail);
        await eventually(() => store.outbox.listPaused()).toHaveLength(1);
        return worker;
      };
      await add(['sheet']);
      await (await refuseOnce()).stop();
      await eventually(() => store.outbox.count({ receiver: 'mail' })).toBe(1);
      now += 20 * minute;
      await (await refuseOnce()).stop();
      await eventually(() => store.outbox.count({ receiver: 'mail' })).toBe(2);
      now += minute;
      await (await refuseOnce()).stop();
      expect(await store.outbox.count({ receiver: 'mail' })).toBe(2);
      // The chores of whoever runs then see that this one was not told.
      now += 3 * minute;
      await createChores(depsOf([stub('sheet'), mail]), () => undefined).tidy();
      expect(await store.outbox.count({ receiver: 'mail' })).toBe(3);
    });

    test('of all that are under way at once is one pause', async () => {
      const doors = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()] as const;
      const sheet = stub('sheet', () => (doors[sheet.parcels.length - 1] ?? doors[0]).promise);
      const worker = await start(sheet, stub('mail'));
      const references = [await add(['sheet']), await add(['sheet'])];
      worker.nudge();
      await eventually(() => sheet.underWay()).toBe(2);
      for (const { resolve } of doors) resolve(refused);
      for (const reference of references) await settled(reference, { state: 'waiting', attempts: 0 });
      expect(events('receiver paused')).toHaveLength(1);
      expect(await store.outbox.count({ receiver: 'mail' })).toBe(1);
    });
  });

  describe('after an attempt that may have arrived', () => {
    test('a receiver that can be asked is asked first, and not sent to again when it is there', async () => {
      const asked: string[] = [];
      const sheet = { ...stub('sheet', ambiguous), find: findIn(asked, true) };
      const reference = await failOnce(sheet);
      await settled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 0 });
      expect([asked.length, sheet.parcels.length]).toEqual([1, 1]);
    });

    test('it is sent again without a doubt when it is not there', async () => {
      const asked: string[] = [];
      const sheet = stub('sheet', () => Promise.resolve(sheet.parcels.length === 1 ? ambiguous : delivered));
      const reference = await failOnce({ ...sheet, find: findIn(asked, false) });
      await settled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 0 });
      expect([asked.length, sheet.parcels.length]).toEqual([1, 2]);
    });

    test('it is not sent while the receiver cannot tell', async () => {
      const sheet = { ...stub('sheet', ambiguous), find: () => Promise.reject(new Error('no list today')) };
      const reference = await failOnce(sheet);
      await settled(reference, {
        state: 'waiting',
        attempts: 2,
        is_ambiguous: 1,
        last_failure: 'could not be asked: no list today',
      });
      expect(sheet.parcels).toHaveLength(1);
    });

    test('a receiver that cannot be asked is told that it may be twice, and that is kept', async () => {
      const sheet = stub('sheet', () => Promise.resolve(sheet.parcels.length === 1 ? ambiguous : delivered));
      const reference = await failOnce(sheet);
      await settled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 1 });
      expect(sheet.attempts).toEqual([{ isPossiblyTwice: false }, { isPossiblyTwice: true }]);
    });

    test('a receiver that replaces what is there is simply sent to again', async () => {
      const asked: string[] = [];
      const sheet = stub('sheet', () => Promise.resolve(sheet.parcels.length === 1 ? ambiguous : delivered));
      const reference = await failOnce({ ...sheet, isUpserting: true, find: findIn(asked, true) });
      await settled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 0 });
      expect(asked).toEqual([]);
      expect(sheet.attempts).toEqual([{ isPossiblyTwice: false }, { isPossiblyTwice: false }]);
    });

    test('a failure without a doubt is sent again without one', async () => {
      const sheet = stub('sheet', () => Promise.resolve(sheet.parcels.length === 1 ? failed : delivered));
      const reference = await failOnce(sheet);
      await settled(reference, { state: 'delivered', attempts: 2, is_possibly_twice: 0 });
    });

    async function failOnce(receiver: Receiver): Promise<string> {
      const worker = await start(receiver);
      const reference = await add(['sheet']);
      worker.nudge();
      await settled(reference, { attempts: 1 });
      now += 10 * second;
      worker.nudge();
      return reference;
    }

    function findIn(asked: string[], isThere: boolean) {
      return async ({ reference }: Parcel) => {
        asked.push(reference);
        return isThere;
      };
    }
  });

  describe('a lease', () => {
    test('that a process left behind runs out, and what it held may have arrived', async () => {
      const reference = await add(['sheet']);
      await claim('of a process that was killed', 2 * minute);
      const sheet = stub('sheet');
      const worker = await start(sheet);
      const other = await add(['sheet']);
      worker.nudge();
      await settled(other, { state: 'delivered' });
      expect(sheet.parcels).toHaveLength(1);
      now += 2 * minute;
      worker.nudge();
      await settled(reference, { state: 'delivered', is_possibly_twice: 1 });
      expect(sheet.attempts.at(-1)).toEqual({ isPossiblyTwice: true });
    });

    test('left behind again and again is given up without one more attempt', async () => {
      const reference = await add(['sheet']);
      for (let kills = 0; kills < 11; kills += 1) {
        await claim('of a process that this parcel ends', minute);
        now += minute;
      }
      const sheet = stub('sheet');
      await start(sheet);
      await settled(reference, { state: 'dead', last_failure: 'no attempt came to an end' });
      expect(sheet.parcels).toEqual([]);
    });

    test('is not lost when the database is away at the moment of settling', async () => {
      const settle = vi.spyOn(store.outbox, 'settle').mockRejectedValueOnce(new Error('connection lost'));
      const sheet = stub('sheet');
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.nudge();
      await settled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 });
      expect([settle.mock.calls.length, sheet.parcels.length]).toEqual([2, 1]);
    });

    test('that was lost to another leaves nothing to settle', async () => {
      const door = Promise.withResolvers<Outcome>();
      const worker = await start(stub('sheet', () => door.promise));
      const reference = await add(['sheet']);
      worker.nudge();
      await eventually(() => deliveryOf(reference)).toMatchObject({ state: 'sending' });
      now += 5 * minute;
      const [theirs] = await claim('of another', minute);
      door.resolve(delivered);
      await eventually(() => events('delivery settled by another').length).toBe(1);
      expect(await deliveryOf(reference)).toEqual(theirs);
    });

    test('that was claimed before a long sleep is not made use of after it', async () => {
      const sheet = stub('sheet');
      const awake = performance.now();
      const time = vi.spyOn(performance, 'now').mockImplementation(() => awake);
      const get = vi.spyOn(store.messages, 'get').mockImplementationOnce(async () => {
        time.mockImplementation(() => awake + minute);
        return newMessage();
      });
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.nudge();
      await settled(reference, { state: 'waiting', attempts: 1, is_ambiguous: 0 });
      expect([get.mock.calls.length, sheet.parcels.length]).toEqual([1, 0]);
    });

    test('that a clock ends too early is held on to: nothing is sent beside itself', async () => {
      const door = Promise.withResolvers<Outcome>();
      const sheet = stub('sheet', () => door.promise);
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.nudge();
      await eventually(() => sheet.underWay()).toBe(1);
      const { lease } = await deliveryOf(reference);
      now += 24 * hour;
      worker.nudge();
      await eventually(async () => (await deliveryOf(reference)).lease).not.toBe(lease);
      door.resolve(delivered);
      await settled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 });
      expect(sheet.parcels).toHaveLength(1);
    });
  });

  test('settles what a clock ended in the very moment in which it was settled', async () => {
    const sheet = stub('sheet');
    const worker = await start(sheet);
    const { settle } = store.outbox;
    vi.spyOn(store.outbox, 'settle').mockImplementationOnce(async (delivery, settlement) => {
      const { lease } = delivery;
      now += 24 * hour;
      worker.nudge();
      await eventually(async () => (await deliveryOf(delivery.reference)).lease).not.toBe(lease);
      return settle({ ...delivery, lease }, settlement);
    });
    const reference = await add(['sheet']);
    worker.nudge();
    await settled(reference, { state: 'delivered', attempts: 1, is_possibly_twice: 0 });
    expect(sheet.parcels).toHaveLength(1);
    expect(events('delivery settled by another')).toEqual([]);
  });

  async function claim(lease: string, forMs: number): Promise<Delivery[]> {
    const leaseUntil = new Date(now + forMs).toISOString();
    return store.outbox.claim({
      receiver: 'sheet',
      now: clock.now().toISOString(),
      lease,
      leaseUntil,
      limit: 1,
    });
  }

  test('does not leave to tomorrow what came while the clock was a day ahead', async () => {
    now += 24 * hour;
    const reference = await add(['sheet']);
    const left = await add(['mail']);
    const until = new Date(now + 2 * minute).toISOString();
    await store.outbox.claim({
      ...{ receiver: 'mail', now: clock.now().toISOString(), lease: 'of one that ended', leaseUntil: until },
      limit: 1,
    });
    now -= 24 * hour;
    const [sheet, mail] = [stub('sheet'), stub('mail')];
    const worker = await start(sheet, mail);
    await settled(reference, { state: 'delivered', attempts: 1 });
    await eventually(() => events('deliveries hastened').length).toBe(2);
    // Whoever holds it may still be there.
    expect(await deliveryOf(left, 'mail')).toMatchObject({ lease: 'of one that ended' });
    now += 2 * minute;
    worker.nudge();
    await settled(left, { state: 'delivered', attempts: 2 }, 'mail');
  });

  test('lets what failed wait for its time, however late', async () => {
    const sheet = stub('sheet', failed);
    const worker = await start(sheet);
    const reference = await add(['sheet']);
    worker.nudge();
    await settled(reference, { state: 'waiting', attempts: 1 });
    const dueAt = new Date(now + 24 * hour).toISOString();
    await database.query(`update deliveries set due_at = '${dueAt}'`);
    await createChores(depsOf([sheet]), () => undefined).tidy();
    expect(await deliveryOf(reference)).toMatchObject({ due_at: dueAt });
    expect(events('deliveries hastened')).toEqual([]);
  });

  test('finds by itself what another process has stored, and looks no more often than it must', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const claims = vi.spyOn(store.outbox, 'claim');
    const sheet = stub('sheet');
    await start(sheet);
    await vi.waitFor(() => expect(claims).toHaveBeenCalledTimes(1), { timeout: 10_000 });
    const later = await add(['sheet'], { received_at: new Date(now + hour).toISOString() });
    const reference = await add(['sheet']);
    await vi.waitFor(
      async () => {
        await vi.advanceTimersByTimeAsync(1000);
        expect(sheet.parcels).toMatchObject([{ reference }]);
      },
      { timeout: 10_000 },
    );
    await store.outbox.pause('sheet', 'answered 401', clock.now().toISOString());
    now += 2 * hour;
    claims.mockClear();
    let seconds = 0;
    while (claims.mock.calls.length < 3 && seconds < 1000) {
      await vi.advanceTimersByTimeAsync(1000);
      seconds += 1;
      // The database answers by a clock of its own.
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    }
    expect(claims).toHaveBeenCalledTimes(3);
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(await deliveryOf(later)).toMatchObject({ state: 'waiting' });
  });

  test('says so when something waits for a receiver that is not configured any more', async () => {
    await add(['webhook']);
    await start(stub('sheet'));
    expect(events('deliveries wait for a receiver that is not configured')).toMatchObject([
      { level: 'warn', receiver: 'webhook' },
    ]);
  });

  test('does not try again what was marked as spam while it was under way', async () => {
    const sheet = stub('sheet', async () => {
      expect(await store.messages.markSpam(reference, clock.now().toISOString())).toBe(true);
      return failed;
    });
    const reference = await add(['sheet']);
    const worker = await start(sheet);
    await settled(reference, { state: 'waiting', attempts: 1 });
    now += hour;
    worker.nudge();
    await settled(reference, { state: 'dropped', last_failure: 'no longer wanted' });
    expect(sheet.parcels).toHaveLength(1);
    expect(events('delivery given up')).toEqual([]);
  });

  test('gives up, without a word to anybody, what was erased before it was sent', async () => {
    const [sheet, mail] = [stub('sheet'), stub('mail')];
    const reference = await add(['sheet']);
    await database.query(`delete from messages where reference = '${reference}'`);
    const worker = await start(sheet, mail);
    await settled(reference, { state: 'dead', last_failure: 'its message was erased' });
    await worker.stop();
    await (await start(sheet, mail)).stop();
    expect(sheet.parcels).toEqual([]);
    expect(await store.outbox.count({ receiver: 'mail' })).toBe(0);
  });

  describe('the digest', () => {
    const quarantine = (about: Partial<NewMessage> = {}) =>
      add([], { state: 'quarantined', quarantine_reason: 'flood', ...about });

    test('goes to the mailbox once a day, whatever the number of processes, when there is anything', async () => {
      const [mail, sheet] = [stub('mail'), stub('sheet')];
      const startThree = async () => {
        const started = await Promise.all([1, 2, 3].map(() => start(mail, sheet)));
        await Promise.all(started.map(worker => worker.stop()));
      };
      await startThree();
      expect(await store.outbox.count({})).toBe(0);

      const first = await quarantine({ message: `see https://evil.example ${'x'.repeat(300)}` });
      now += minute;
      await startThree();
      await start(mail);
      await eventually(() => mail.parcels.length).toBe(1);
      const text = (mail.parcels[0] as Parcel & { text: string }).text;
      for (const words of [first, 'Zoë, zoe@example[.]com', `npm run inbox -- release ${first}`]) {
        expect(text).toContain(words);
      }
      expect(text).toContain(`  > see hxxps[:]//evil[.]example ${'x'.repeat(175)}\n`);

      const next = await quarantine();
      now += 23 * hour;
      await startThree();
      expect(mail.parcels).toHaveLength(1);
      now += hour;
      await start(mail);
      await eventually(() => mail.parcels.length).toBe(2);
      expect(mail.parcels[1]).toMatchObject({ text: expect.stringContaining(next) });
      expect(mail.parcels[1]).toMatchObject({ text: expect.not.stringContaining(first) });
      expect(sheet.parcels).toEqual([]);
    });

    test('is not silenced by a clock that once ran ahead', async () => {
      const mail = stub('mail');
      now += 365 * 24 * hour;
      await quarantine();
      now += minute;
      await start(mail);
      await eventually(() => mail.parcels.length).toBe(1);
      now -= 365 * 24 * hour;
      const reference = await quarantine();
      now += minute;
      await start(mail);
      await eventually(() => mail.parcels.length).toBe(2);
      expect(mail.parcels[1]).toMatchObject({ text: expect.stringContaining(reference) });
    });

    test('leaves to the next day what may still be on its way into the store', async () => {
      const mail = stub('mail');
      await quarantine();
      now += minute;
      const late = clock.now().toISOString();
      await start(mail);
      await eventually(() => mail.parcels.length).toBe(1);
      const reference = await quarantine({ received_at: late });
      now += 24 * hour;
      await start(mail);
      await eventually(() => mail.parcels.length).toBe(2);
      expect(mail.parcels[1]).toMatchObject({ text: expect.stringContaining(reference) });
    });
  });

  describe('stopping', () => {
    test('waits for what is under way, settles it, and claims nothing more', async () => {
      const door = Promise.withResolvers<Outcome>();
      const sheet = stub('sheet', () => door.promise);
      const worker = await start({ ...sheet, concurrency: 1 });
      const references = [await add(['sheet']), await add(['sheet'])];
      worker.nudge();
      await eventually(() => sheet.underWay()).toBe(1);
      const stopped = worker.stop();
      door.resolve(delivered);
      await stopped;
      worker.nudge();
      const states = await Promise.all(references.map(async one => (await deliveryOf(one)).state));
      expect(states.sort()).toEqual(['delivered', 'waiting']);
      expect(sheet.parcels).toHaveLength(1);
    });

    test('waits for a claim that is under way, and for what comes of it', async () => {
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { claim } = store.outbox;
      vi.spyOn(store.outbox, 'claim').mockImplementationOnce(async wanted => {
        asked.resolve();
        await answered.promise;
        return claim(wanted);
      });
      const reference = await add(['sheet']);
      const worker = await start(stub('sheet'));
      await asked.promise;
      const stopped = worker.stop();
      answered.resolve();
      await stopped;
      expect(await deliveryOf(reference)).toMatchObject({ state: 'delivered' });
    });

    test.each([
      ['listens', hang],
      ['does not listen', () => new Promise<Outcome>(() => undefined)],
    ])('cuts off after a while a receiver that %s, and leaves it to be tried again', async (_, deliver) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const sheet = stub('sheet', deliver);
      const worker = await start(sheet);
      const reference = await add(['sheet']);
      worker.nudge();
      await eventually(() => sheet.underWay()).toBe(1);
      let isStopped = false;
      const stopped = worker.stop().then(() => {
        isStopped = true;
      });
      await vi.advanceTimersByTimeAsync(3900);
      expect(isStopped).toBe(false);
      await vi.advanceTimersByTimeAsync(100);
      await vi.advanceTimersByTimeAsync(1000);
      await stopped;
      await settled(reference, { state: 'waiting', attempts: 1, is_ambiguous: 1 });
    });

    test('before it has started leaves it stopped', async () => {
      const looked = vi.spyOn(store.outbox, 'listPaused');
      const worker = build(stub('sheet'));
      const started = worker.start();
      await worker.stop();
      await started;
      worker.nudge();
      expect(looked).not.toHaveBeenCalled();
    });
  });

  test('an attempt that takes too long is cut off and makes room for the next', async () => {
    const tooLong = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(tooLong.signal);
    const sheet = stub('sheet', (_, signal) => (sheet.parcels.length === 1 ? hang(_, signal) : undefined));
    const worker = await start({ ...sheet, concurrency: 1 });
    const references = [await add(['sheet'])];
    worker.nudge();
    await eventually(() => sheet.underWay()).toBe(1);
    references.push(await add(['sheet']));
    tooLong.abort();
    await settled(references[0] as string, { state: 'waiting', is_ambiguous: 1 });
    await settled(references[1] as string, { state: 'delivered' });
  });
});

function eventually<T>(look: () => T) {
  return expect.poll(look, { interval: 5 });
}
