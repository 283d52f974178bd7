import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { openTwoStores } from '../../../tests/harness/stores.ts';
import type { Store } from '../database/open-store.ts';
import type { Delivery, Settlement } from './deliveries.ts';
import { storeFailure } from './failures.ts';

/** A time, so many seconds after the beginning of the test. */
const at = (second: number) => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();

describe.each(databases)('the outbox on $name', async ({ create }) => {
  const { store, other, close } = await openTwoStores(create);
  afterAll(close);
  /** Each test has a receiver of its own. */
  let receiver: string;
  let tests = 0;

  beforeEach(() => {
    tests += 1;
    receiver = `receiver ${tests}`;
  });

  async function add(...dueAt: number[]): Promise<string[]> {
    const messages = dueAt.map(second => newMessage({ received_at: at(second), receivers: [receiver] }));
    await Promise.all(messages.map(store.messages.add));
    return messages.map(({ reference }) => reference);
  }

  function claim(now: number, lease: string, limit = 10, by = store): Promise<Delivery[]> {
    return by.outbox.claim({ receiver, now: at(now), lease, leaseUntil: at(now + 60), limit });
  }

  async function claimOne(now: number, lease: string): Promise<Delivery> {
    const claimed = await claim(now, lease);
    expect(claimed).toHaveLength(1);
    return claimed[0] as Delivery;
  }

  const list = () => store.outbox.list({ receiver }, 100);

  test('claims what is due, oldest first, once per lease, and knows when the next is due', async () => {
    const nextDue = () => store.outbox.nextDue(receiver);
    expect(await nextDue()).toBeUndefined();
    const [second, first, third, later] = await add(2, 1, 3, 100);
    const references = (claimed: Delivery[]) => claimed.map(({ reference }) => reference);
    expect(await nextDue()).toBe(at(1));
    expect(references(await claim(10, 'one', 2))).toEqual([first, second]);
    expect(references(await claim(10, 'two'))).toEqual([third]);
    expect(await claim(69, 'three')).toEqual([]);
    expect(await nextDue()).toBe(at(70));
    const claimed = await claim(100, 'four');
    expect(references(claimed).sort()).toEqual([first, second, third, later].sort());
    for (const delivery of claimed.slice(1)) await store.outbox.settle(delivery, delivered);
    expect(await nextDue()).toBe(at(160));
  });

  test('is settled only by the holder of the lease, and stores each attempt', async () => {
    const [reference = ''] = await add(0);
    const lost = await claimOne(0, 'lost');
    expect(lost).toMatchObject({ is_ambiguous: 0, state: 'sending', lease: 'lost' });
    // The lease has expired: this may be a duplicate.
    const mine = await claimOne(60, 'mine');
    expect(mine).toMatchObject({ is_ambiguous: 1, state: 'sending', lease: 'mine', lease_until: at(120) });
    expect(await store.outbox.settle(lost, delivered)).toBe(false);
    expect(await list()).toEqual([mine]);
    expect(await other.outbox.settle(mine, { ...deferred, now: at(61) })).toBe(true);
    expect(await store.outbox.settle(mine, delivered)).toBe(false);
    await store.outbox.settle(await claimOne(70, 'again'), failed);
    expect(await store.outbox.lastFailed(receiver)).toEqual({ at: at(2), reason: 'gone' });
    // Sent again from the beginning, what came before is not forgotten.
    expect(await store.outbox.retryNow({ receiver }, at(80))).toBe(1);
    expect(await store.outbox.lastFailed(receiver)).toBeUndefined();
    const last = await claimOne(80, 'last');
    expect(last).toMatchObject({ attempts: 0, settled_at: null, is_ambiguous: 1 });
    await store.outbox.settle(last, { ...delivered, now: at(81) });
    expect(await list()).toMatchObject([
      { state: 'delivered', lease: null, attempts: 1, settled_at: at(81) },
    ]);
    expect([await store.outbox.retryNow({ receiver }, at(90)), await claim(1000, 'late')]).toEqual([0, []]);
    const about = { reference, receiver };
    expect(await store.outbox.listAttempts(reference)).toEqual([
      {
        ...about,
        number: 1,
        ended_at: at(60),
        state: 'waiting',
        reason: storeFailure({ code: 'result-unknown' }),
      },
      { ...about, number: 2, ended_at: at(61), state: 'waiting', reason: 'no answer' },
      { ...about, number: 3, ended_at: at(2), state: 'failed', reason: 'gone' },
      { ...about, number: 4, ended_at: at(81), state: 'delivered', reason: '' },
    ]);
  });

  test('that is retried during an attempt may be a duplicate, and that attempt settles nothing', async () => {
    await add(0);
    const mine = await claimOne(0, 'one');
    expect(await store.outbox.retryNow({ receiver, states: ['sending'] }, at(1))).toBe(1);
    expect(await store.outbox.settle(mine, deferred)).toBe(false);
    expect(await claimOne(1, 'two')).toMatchObject({ is_ambiguous: 1 });
  });

  test('gives nothing twice to two processes that claim concurrently', async () => {
    const references = await add(...Array(120).fill(0));
    const claims = Array.from({ length: 40 }, (_, index) =>
      claim(0, `lease ${index}`, 5, index % 2 ? store : other),
    );
    const claimed = (await Promise.all(claims)).flat();
    // Rows that another holds at this moment are passed over: they are there for the next who asks.
    claimed.push(...(await claim(0, 'rest', 120)));
    expect(claimed.map(({ reference }) => reference).sort()).toEqual(references.sort());
    const leases = new Map(claimed.map(({ reference, lease }) => [reference, lease]));
    for (const { reference, lease } of await store.outbox.list({ receiver }, 200)) {
      expect(lease).toBe(leases.get(reference));
    }
  });

  test('gives two processes together no more than the throttle allows, with the time to wait', async () => {
    await add(...Array(20).fill(0));
    const throttle = { perSecond: 0.01, burst: 3 };
    const claims = Array.from({ length: 8 }, (_, index) => {
      const lease = { lease: `lease ${index}`, leaseUntil: at(60) };
      return (index % 2 ? store : other).outbox.claim({ receiver, now: at(0), limit: 2, ...lease, throttle });
    });
    const claimed = (await Promise.all(claims)).flat();
    expect(claimed.length).toBe(3);
    const waitMs = await other.outbox.msUntilCapacity(receiver, throttle);
    expect(Math.round(waitMs / 1e5)).toBe(1);
    // A receiver that bears more now does not wait for what it could not bear before.
    expect(await other.outbox.msUntilCapacity(receiver, { perSecond: 5, burst: 3 })).toBe(0);
  });

  test('gives a mailbox to one of many deliveries, over all processes, until a day after it ended', async () => {
    const references = await add(...Array(10).fill(0));
    const claimMailbox = (reference: string, since: number, by = store) =>
      by.outbox.claimMailbox({ reference, receiver, mailbox: receiver, since: at(since) });
    const claims = await Promise.all(
      references.map((reference, index) => claimMailbox(reference, 0, index % 2 ? store : other)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    const [winner, loser] = [references[claims.indexOf(true)], references[claims.indexOf(false)]] as string[];
    expect(await claimMailbox(winner as string, 0)).toBe(true);
    const delivery = (await claim(0, 'one')).find(({ reference }) => reference === winner) as Delivery;
    await store.outbox.settle(delivery, delivered);
    expect(await claimMailbox(loser as string, 0)).toBe(false);
    expect(await claimMailbox(loser as string, 1)).toBe(true);
  });

  test('pauses a receiver once, until it is resumed', async () => {
    await add(0);
    const pause = (by: Store, second: number) => by.receivers.pause(receiver, `why ${second}`, at(second));
    const paused = await Promise.all([pause(store, 1), pause(other, 2), pause(store, 3)]);
    expect(paused.filter(Boolean)).toHaveLength(1);
    const found = async () => (await other.receivers.listPaused()).find(({ name }) => name === receiver);
    const second = paused.indexOf(true) + 1;
    const failure = { code: 'other', text: `why ${second}` };
    expect(await found()).toEqual({ name: receiver, paused_at: at(second), failure });
    expect(await claim(9, 'one')).toEqual([]);
    expect([await other.receivers.resume(receiver), await store.receivers.resume(receiver)]).toEqual([
      true,
      false,
    ]);
    expect(await found()).toBeUndefined();
    await claimOne(9, 'two');
    expect(await pause(other, 9)).toBe(true);
  });

  test('a scheduled run is claimed once per period, over all processes, with its notice, which goes first', async () => {
    const run = (second: number, by = store, receivers = [receiver]) => {
      const turn = { name: receiver, now: at(second), lastRunBefore: at(second - 100) };
      const { reference } = newMessage();
      return by.schedule.claimScheduledRun(turn, { reference, receivers, payload: '{}', now: at(second) });
    };
    await expect(run(0, store, [receiver, null as unknown as string])).rejects.toThrow();
    expect([await store.schedule.lastRun(receiver), await list()]).toEqual([undefined, []]);
    await add(0);
    for (const second of [0, 100]) {
      const askers = Array.from({ length: 20 }, (_, index) => run(second, index % 2 ? store : other));
      expect((await Promise.all(askers)).filter(Boolean)).toHaveLength(1);
      expect(await run(second + 99)).toBe(false);
      expect(await other.schedule.lastRun(receiver)).toBe(at(second));
    }
    expect((await claim(100, 'one', 2)).map(({ kind }) => kind)).toEqual(['notice', 'notice']);
    expect(await store.outbox.count({ receiver })).toBe(3);
  });
});

const delivered: Settlement = { state: 'delivered', attempts: 1, isPossibleDuplicate: false, now: at(1) };
const flags = { isAmbiguous: true, isPossibleDuplicate: true };
const deferred: Settlement = {
  state: 'waiting',
  attempts: 1,
  dueAt: at(30),
  reason: 'no answer',
  now: at(1),
  ...flags,
};
const failed: Settlement = { state: 'failed', attempts: 10, reason: 'gone', now: at(2), ...flags };
