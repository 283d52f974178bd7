import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { OwnerReceiver, Receiver } from '../../src/deliveries/delivery.ts';
import { randomIds } from '../../src/lib/ids.ts';
import { createWorker, type Worker } from '../../src/outbox/worker.ts';
import type { WorkerDeps } from '../../src/outbox/worker-deps.ts';
import type { Delivery } from '../../src/store/deliveries.ts';
import type { NewMessage } from '../../src/store/messages.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import type { TestDatabase } from './databases.ts';
import { newMessage } from './sample-message.ts';
import { collectLog, testConfig } from './site.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

const emptied = [
  ...['messages', 'deliveries', 'receivers', 'scheduled_runs'],
  ...['subscribers', 'tokens', 'newsletter_issues'],
];

/**
 * A store with workers for the tests of one file. It is emptied after each test, and its time moves only by
 * `fixture.now += minute`.
 */
export function createOutboxFixture(create: () => Promise<TestDatabase>) {
  const { log, lines } = collectLog();
  let workers: Worker[] = [];
  const fixture = {
    now: 0,
    clock: { now: () => new Date(fixture.now) },
    // Both are set before the first test.
    database: undefined as unknown as TestDatabase,
    store: undefined as unknown as Store,
    ...{ add, claim, findDelivery, workerDeps, events, waitUntilSettled, start },
  };

  beforeAll(async () => {
    fixture.database = await create();
    fixture.store = await openStore({
      ...testConfig(fixture.database.env),
      onError: error => expect.unreachable(error.message),
    });
  });
  beforeEach(({ onTestFailed }) => {
    fixture.now = Date.UTC(2026, 0, 2, 3, 4, 5);
    lines.length = 0;
    // A worker's actions are only visible in its log.
    onTestFailed(() => void process.stdout.write(lines.join('')));
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await Promise.all(workers.map(worker => worker.stop()));
    workers = [];
    for (const table of emptied) await fixture.database.query(`delete from ${table}`);
  });
  afterAll(async () => {
    await fixture.store.close();
    await fixture.database.remove();
  });

  function workerDeps(receivers: Receiver[]): WorkerDeps {
    const { messages, outbox, schedule, subscribers, newsletterIssues } = fixture.store;
    return {
      ...{ messages, outbox, schedule, subscribers, newsletterIssues, receivers, log },
      receiverStates: fixture.store.receivers,
      clock: fixture.clock,
      ids: randomIds,
      random: () => 0.5,
      claimAcknowledgement: async () => undefined,
    };
  }

  async function start(...receivers: Receiver[]): Promise<Worker> {
    const worker = createWorker(workerDeps(receivers));
    workers.push(worker);
    await worker.start();
    return worker;
  }

  async function add(to: OwnerReceiver[], about: Partial<NewMessage> = {}): Promise<string> {
    const message = newMessage({ received_at: fixture.clock.now().toISOString(), receivers: to, ...about });
    await fixture.store.messages.add(message);
    return message.reference;
  }

  /** Claims as another process would that is then killed. */
  function claim(lease: string, forMs: number, receiver: Receiver['name'] = 'sheet'): Promise<Delivery[]> {
    const now = fixture.clock.now().toISOString();
    const leaseUntil = new Date(fixture.now + forMs).toISOString();
    return fixture.store.outbox.claim({ receiver, now, lease, leaseUntil, limit: 1 });
  }

  async function findDelivery(reference: string, receiver: OwnerReceiver = 'sheet'): Promise<Delivery> {
    return (await fixture.store.outbox.list({ reference, receiver }, 1))[0] as Delivery;
  }

  /** Waits until the delivery is settled with these fields. */
  async function waitUntilSettled(
    reference: string,
    about: Partial<Delivery>,
    receiver: OwnerReceiver = 'sheet',
  ) {
    await eventually(() => findDelivery(reference, receiver)).toMatchObject({ lease: null, ...about });
    return findDelivery(reference, receiver);
  }

  function events(event: string): Record<string, unknown>[] {
    return lines.map(line => JSON.parse(line)).filter(line => line.event === event);
  }

  return fixture;
}

export function eventually<T>(look: () => T) {
  return expect.poll(look, { interval: 5 });
}
