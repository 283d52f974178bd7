import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../tests/harness/databases.ts';
import { createOutboxFixture, eventually, hour, minute } from '../../../tests/harness/outbox-fixture.ts';
import { failed, stubReceiver } from '../../../tests/harness/stub-receiver.ts';
import { addSubscribers } from '../../../tests/harness/subscribers.ts';
import type { DeliveryState } from '../../core/database/tables.ts';
import { hashToken, randomIds } from '../../core/ids.ts';
import type { Outcome } from '../../core/outbox/delivery.ts';
import { confirmByTokenHash } from './confirm-subscriber.ts';
import type { ConfirmationPayload } from './deliveries.ts';
import { processBatch } from './process-sign-up-batch.ts';
import { suppressSubscriberById } from './suppress-subscriber.ts';
import { unsubscribeSubscriberById } from './unsubscribe.ts';

const day = 24 * hour;
const at = (ms: number) => new Date(ms).toISOString();

describe.each(databaseUnderTest)('subscriber mail on $name', ({ create }) => {
  const fixture = createOutboxFixture(create);
  const { start } = fixture;

  async function subscribe(...names: string[]): Promise<void> {
    await addSubscribers(
      fixture.database,
      names.map(name => ({
        ...{ id: name, address: `${name}@example.com`, state: 'confirmed' },
        confirmed_at: at(fixture.now),
      })),
    );
  }

  /** An issue for everyone who is confirmed. */
  async function queue(): Promise<string> {
    const issue = { reference: 'ISSUE-00001', name: 'news', hash: 'd', queued_at: at(fixture.now) };
    await fixture.store.newsletterIssues.queue({
      ...issue,
      subject: 'News',
      html: '<p>News</p>',
      text: 'News',
    });
    return issue.reference;
  }

  async function counts(issue: string): Promise<Partial<Record<DeliveryState, number>>> {
    const all = Object.entries(await fixture.store.newsletterIssues.count(issue));
    return Object.fromEntries(all.filter(([, count]) => count > 0));
  }

  const subscriberReceiver = (...stub: Parameters<typeof stubReceiver>) => ({
    ...stubReceiver(...stub),
    isAtMostOnce: true,
  });

  test('a confirmation goes to the address that signed up, with a token of which only the hash is stored', async () => {
    const receiver = subscriberReceiver('confirmations');
    const now = at(fixture.now);
    const signUp = { subscriber: 'ann', address: 'ann@example.com', form: 'home', consent_text: 'w' };
    const asked = { id: randomIds.uuid(), ...signUp, requested_at: now, network: 'unknown' };
    await fixture.store.signUps.add(asked);
    await processBatch(fixture.store.subscribers, {
      ...{ now, notMailedSince: at(fixture.now - day), countedSince: at(fixture.now - hour) },
      ...{ maxPerHour: 1000, maxPerDomain: 1000, maxSignUps: 100, reference: randomIds.reference },
      mailboxPseudonym: to => to,
      getRegistrableDomain: host => host,
    });
    await start(receiver);
    await eventually(() => receiver.payloads.length).toBe(1);
    const { to, token, kind } = receiver.payloads[0] as ConfirmationPayload;
    expect({ kind, to }).toEqual({ kind: 'confirmation', to: 'ann@example.com' });
    expect(token).toMatch(/^[\w-]{43}$/);
    const tokens = await fixture.database.query('select hash, subscriber, expires_at from tokens');
    expect(tokens).toEqual([
      { hash: hashToken(token), subscriber: 'ann', expires_at: at(fixture.now + 7 * day) },
    ]);
    for (const table of ['tokens', 'deliveries', 'subscribers', 'sign_ups'])
      expect(JSON.stringify(await fixture.database.query(`select * from ${table}`))).not.toContain(token);
    expect(await confirmByTokenHash(fixture.store.subscribers, hashToken(token), now)).toBe(true);
  });

  test('an issue is cancelled for subscribers who left or bounced after it was queued', async () => {
    const receiver = subscriberReceiver('newsletter');
    await subscribe('ann', 'bob', 'cas');
    const issue = await queue();
    await unsubscribeSubscriberById(fixture.store.subscribers, 'ann', at(fixture.now));
    await suppressSubscriberById(fixture.store.subscribers, 'bob', 'complaint', at(fixture.now));
    await start(receiver);
    await eventually(() => counts(issue)).toEqual({ delivered: 1, cancelled: 2 });
    expect(receiver.payloads).toHaveLength(1);
  });

  test('an issue whose process ended while sending is unconfirmed, and the others are sent', async () => {
    await subscribe('ann', 'bob', 'cas');
    const issue = await queue();
    const claimed = await fixture.claim('of a process that was killed', 2 * minute, 'newsletter');
    fixture.now += 2 * minute;
    const receiver = subscriberReceiver('newsletter');
    await start(receiver);
    await eventually(() => counts(issue)).toEqual({ delivered: 2, unconfirmed: 1 });
    const unconfirmed = await fixture.store.newsletterIssues.listDeliveries(issue, ['unconfirmed'], 10);
    expect(unconfirmed).toMatchObject([{ subscriber: claimed[0]?.subscriber, attempts: 1 }]);
  });

  test.each([
    [true, 'suppressed'],
    [false, 'confirmed'],
  ])('a rejected issue ends as failed (unknown mailbox: %s)', async (isUnknownMailbox, state) => {
    const outcome: Outcome = {
      kind: 'permanent',
      failure: { code: 'answered', status: 550 },
      isUnknownMailbox,
    };
    const receiver = subscriberReceiver('newsletter', outcome);
    const mail = stubReceiver('mail');
    await subscribe('ann');
    const issue = await queue();
    await start(receiver, mail);
    await eventually(() => counts(issue)).toEqual({ failed: 1 });
    await eventually(async () => (await fixture.store.subscribers.get('ann'))?.state).toBe(state);
    expect(receiver.payloads).toHaveLength(1);
    // A single unreachable subscriber is not reported.
    expect(mail.payloads).toEqual([]);
  });

  test('an issue that keeps failing is reported to the owner once', async () => {
    const failure = { code: 'mail-answered', status: 554, enhanced: '5.7.1', step: 'mail' } as const;
    const receiver = subscriberReceiver('newsletter', { ...failed, failure });
    const mail = stubReceiver('mail');
    await subscribe('ann', 'bob', 'cas', 'dee', 'eve');
    const issue = await queue();
    const worker = await start(receiver, mail);
    for (const tries of [5, 10, 15, 20, 25]) {
      await eventually(() => receiver.payloads.length).toBe(tries);
      await eventually(() => counts(issue)).toEqual({ waiting: 5 });
      expect(mail.payloads).toEqual([]);
      fixture.now += hour;
      worker.wake();
    }
    await eventually(() => mail.payloads).toMatchObject([
      { kind: 'notice', text: expect.stringContaining('5.7.1') },
    ]);
  });
});
