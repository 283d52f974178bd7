import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { randomIds } from '../../src/core/ids.ts';
import type { Delivery } from '../../src/core/outbox/deliveries.ts';
import type { Receiver } from '../../src/core/outbox/delivery.ts';
import { describeStoredFailure } from '../../src/core/outbox/failures.ts';
import { createNotifyOwner } from '../../src/core/outbox/notify-owner.ts';
import { createWorker, type Worker } from '../../src/core/outbox/worker.ts';
import { createMessageDeliveries } from '../../src/features/messages/deliveries.ts';
import type { NewMessage } from '../../src/features/messages/messages.ts';
import { createOwnerNotices } from '../../src/features/messages/owner-notices.ts';
import { createNewsletterDeliveries } from '../../src/features/newsletter/deliveries.ts';
import type { TestDatabase } from './databases.ts';
import { newMessage } from './sample-message.ts';
import { createSiteFixture } from './site-fixture.ts';
import type { TestStore } from './stores.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

const emptied = [
  ...['messages', 'deliveries', 'receivers', 'scheduled_runs'],
  ...['subscribers', 'tokens', 'newsletter_issues'],
];

/**
 * A store with workers for the tests of one file. It is emptied before each test, and its time moves only by
 * `fixture.now += minute`.
 */
export function createOutboxFixture(create: () => Promise<TestDatabase>) {
  const site = createSiteFixture(create, { emptied });
  const { clock, log, lines } = site;
  let workers: Worker[] = [];
  const fixture = Object.assign(site, {
    // Set before the first test.
    store: undefined as unknown as TestStore,
    ...{ add, claim, findDelivery, notify, waitUntilSettled, start },
  });

  beforeAll(() => {
    fixture.store = site.site.store;
  });
  // A worker's actions are only visible in its log.
  beforeEach(({ onTestFailed }) => onTestFailed(() => void process.stdout.write(lines.join(''))));
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await Promise.all(workers.map(worker => worker.stop()));
    workers = [];
    expect(site.events('database connection lost')).toEqual([]);
  });

  function notify(receivers: Receiver[], wake: () => void = () => undefined) {
    const listReceivers = () => receivers;
    return createNotifyOwner({ schedule: fixture.store.schedule, ids: randomIds, listReceivers, wake });
  }

  async function start(...receivers: Receiver[]): Promise<Worker> {
    const { messages, outbox, schedule, subscribers, newsletterIssues } = fixture.store;
    const shared = { outbox, receiverStates: fixture.store.receivers, receivers, log, clock };
    const notifyOwner = notify(receivers, () => worker.wake());
    const listReceivers = () => receivers;
    const notices = createOwnerNotices({ ...shared, schedule, messages, listReceivers, notifyOwner });
    const worker = createWorker({
      ...shared,
      kinds: {
        ...createMessageDeliveries({ messages, claimAcknowledgement: async () => undefined }),
        ...createNewsletterDeliveries({ subscribers, newsletterIssues, clock, ids: randomIds, log }),
      },
      reportProblem: notices.reportProblem,
      jobs: [notices.job],
      ids: randomIds,
      random: () => 0.5,
    });
    workers.push(worker);
    await worker.start();
    return worker;
  }

  async function add(to: string[], about: Partial<NewMessage> = {}): Promise<string> {
    const message = newMessage({ received_at: clock.now().toISOString(), receivers: to, ...about });
    await fixture.store.messages.add(message);
    return message.reference;
  }

  /** Claims as another process would that is then killed. */
  function claim(lease: string, forMs: number, receiver: Receiver['name'] = 'sheet'): Promise<Delivery[]> {
    const now = clock.now().toISOString();
    const leaseUntil = new Date(fixture.now + forMs).toISOString();
    return fixture.store.outbox.claim({ receiver, now, lease, leaseUntil, limit: 1 });
  }

  /** With the text of its failure. */
  async function findDelivery(reference: string, receiver: string = 'sheet'): Promise<Delivery> {
    const [delivery] = await fixture.store.outbox.list({ reference, receiver }, 1);
    const { last_failure, ...row } = delivery as Delivery;
    return { ...row, last_failure: describeStoredFailure(last_failure) };
  }

  /** Waits until the delivery is settled with these fields. */
  async function waitUntilSettled(reference: string, about: Partial<Delivery>, receiver: string = 'sheet') {
    await eventually(() => findDelivery(reference, receiver)).toMatchObject({ lease: null, ...about });
    return findDelivery(reference, receiver);
  }

  return fixture;
}

export function eventually<T>(look: () => T) {
  return expect.poll(look, { interval: 5 });
}
