import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { openTwoStores } from '../../../tests/harness/stores.ts';
import { addSubscribers } from '../../../tests/harness/subscribers.ts';
import type { DeliveryState } from '../../core/database/tables.ts';
import type { Delivery, Settlement } from '../../core/outbox/deliveries.ts';
import { heldOrWaiting, type NewNewsletterIssue } from './newsletter-issues.ts';
import { suppressSubscriberById } from './suppress-subscriber.ts';
import { unsubscribeSubscriberById } from './unsubscribe.ts';

/** A time, so many seconds after the beginning of the test. */
const at = (second: number) => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();

const issue: NewNewsletterIssue = {
  reference: 'ISSUE-00001',
  name: 'january',
  hash: 'hash',
  subject: 'January',
  html: '<p>Hello',
  text: 'Hello',
  queued_at: at(0),
};

describe.each(databases)('issues on $name', async ({ name, create }) => {
  const { database, store, other, close } = await openTwoStores(create);
  afterAll(close);

  afterEach(async () => {
    for (const table of ['deliveries', 'newsletter_issues', 'subscribers'])
      await database.query(`delete from ${table}`);
  });

  async function confirm(...names: string[]): Promise<void> {
    const consent = { form: 'home', consent_text: 'w1', consent_requested_at: at(0), confirmed_at: at(1) };
    await addSubscribers(
      database,
      names.map(id => ({ ...consent, id, state: 'confirmed', address: `${id}@example.com` })),
    );
  }

  function claim(second: number, limit = 1): Promise<Delivery[]> {
    const lease = { lease: `lease ${second}`, leaseUntil: at(second + 60) };
    return store.outbox.claim({ receiver: 'newsletter', now: at(second), limit, ...lease });
  }

  async function settle(second: number, state: 'delivered' | 'unconfirmed' | 'failed' | 'cancelled') {
    const [delivery] = await claim(second);
    const flags = { isAmbiguous: state === 'unconfirmed', isPossibleDuplicate: false };
    const settlement: Settlement = { state, attempts: 1, reason: `why ${state}`, now: at(second), ...flags };
    expect(await store.outbox.settle(delivery as Delivery, settlement)).toBe(true);
    return (delivery as Delivery).subscriber as string;
  }

  const queue = (about: Partial<NewNewsletterIssue> = {}, by = store) =>
    by.newsletterIssues.queue({ ...issue, ...about });
  const february = { reference: 'ISSUE-00002', name: 'february', queued_at: at(1) };

  async function counts(reference = 'ISSUE-00001'): Promise<Partial<Record<DeliveryState, number>>> {
    const all = Object.entries(await store.newsletterIssues.count(reference));
    return Object.fromEntries(all.filter(([, count]) => count > 0));
  }

  test('go to every confirmed subscriber once, also to one who confirms later, with the text stored first', async () => {
    await confirm('ada', 'bob', 'cyd');
    await unsubscribeSubscriberById(store.subscribers, 'bob', at(2));
    await suppressSubscriberById(store.subscribers, 'stranger', 'owner', at(2));
    expect([await queue(), await queue()]).toEqual([2, 0]);
    expect(await store.outbox.list({ receiver: 'newsletter' }, 9)).toMatchObject(
      ['ada', 'cyd'].map(subscriber => ({
        reference: `ISSUE-00001-${subscriber}`,
        kind: 'issue',
        issue: 'ISSUE-00001',
        subscriber,
        state: 'waiting',
        created_at: at(0),
        due_at: at(0),
      })),
    );
    await settle(0, 'delivered');
    await confirm('dan');
    expect(await queue({ reference: 'ISSUE-00002', queued_at: at(50) })).toBe(1);
    expect(await store.newsletterIssues.find('january')).toEqual({ ...issue, held_at: null });
    expect(await store.newsletterIssues.get('ISSUE-00002')).toBeUndefined();
    expect(await counts()).toEqual({ delivered: 1, waiting: 2 });
  });

  test('queued by two processes at once are queued once, and held and released completely', async () => {
    // More than one page; one is enough of them.
    const many = name === 'SQLite' ? 10_020 : 300;
    await confirm(...Array.from({ length: many }, (_, index) => `reader ${index}`));
    const queued = Array.from({ length: 3 }, (_, index) =>
      queue({ reference: `ISSUE-0000${index}` }, index % 2 ? store : other),
    );
    expect((await Promise.all(queued)).sort()).toEqual([0, 0, many]);
    const [{ reference = '' } = {}, ...more] = await store.newsletterIssues.list(9);
    expect(more).toEqual([]);
    expect(await store.newsletterIssues.pause(reference, at(4))).toBe(many);
    expect(await store.newsletterIssues.resume(reference, at(5))).toBe(many);
    expect(await counts(reference)).toEqual({ waiting: many });
  });

  test('that are held wait until they are released, and others continue', async () => {
    await confirm('ada', 'bob');
    await queue();
    await queue(february);
    await settle(0, 'delivered');
    expect(await store.newsletterIssues.pause('ISSUE-00001', at(4))).toBe(1);
    expect((await claim(5, 9)).map(delivery => delivery.issue)).toEqual(['ISSUE-00002', 'ISSUE-00002']);
    expect(await store.outbox.nextDue('newsletter')).toBe(at(65));
    expect(await store.newsletterIssues.resume('ISSUE-00001', at(30))).toBe(1);
    expect(await claim(29)).toEqual([]);
    const [claimed] = await claim(30, 9);
    expect(claimed).toMatchObject({ issue: 'ISSUE-00001', attempts: 0 });
    // A delivery that fails after its issue was stopped is held, too.
    await store.newsletterIssues.pause('ISSUE-00001', at(31));
    const deferred: Settlement = {
      state: 'waiting',
      attempts: 1,
      dueAt: at(31),
      reason: 'later',
      now: at(31),
      isAmbiguous: false,
      isPossibleDuplicate: false,
    };
    await store.outbox.settle(claimed as Delivery, deferred, heldOrWaiting('ISSUE-00001'));
    expect(await counts()).toEqual({ delivered: 1, held: 1 });
  });

  test('that are unconfirmed are listed, and sent again only on request', async () => {
    await confirm('ada', 'bob', 'cyd', 'dan');
    await queue();
    const unconfirmed = await settle(1, 'unconfirmed');
    const failed = await settle(2, 'failed');
    await settle(3, 'cancelled');
    await settle(4, 'delivered');
    expect(await claim(1000)).toEqual([]);
    expect(await counts()).toEqual({ unconfirmed: 1, failed: 1, cancelled: 1, delivered: 1 });
    const listed = { address: `${unconfirmed}@example.com`, attempts: 1, last_failure: 'why unconfirmed' };
    expect(await store.newsletterIssues.listDeliveries('ISSUE-00001', ['unconfirmed'], 9)).toMatchObject([
      listed,
    ]);
    // Nor with the messages.
    const states = ['failed', 'unconfirmed', 'cancelled', 'delivered', 'waiting'] as const;
    expect(await store.outbox.retryNow({ states }, at(9))).toBe(0);

    expect(await store.newsletterIssues.resendUnconfirmed('ISSUE-00001', at(2000))).toBe(1);
    expect(await store.newsletterIssues.resendUnconfirmed('ISSUE-00001', at(2000))).toBe(0);
    expect(await claim(2000, 9)).toMatchObject([
      { subscriber: unconfirmed, attempts: 0, is_ambiguous: 0, is_possible_duplicate: 1, settled_at: null },
    ]);
    expect(await store.newsletterIssues.resendFailed('ISSUE-00001', at(2001))).toBe(1);
    const again = (await claim(2001, 9)).find(({ subscriber }) => subscriber === failed);
    expect(again).toMatchObject({ attempts: 0, settled_at: null });
  });
});
