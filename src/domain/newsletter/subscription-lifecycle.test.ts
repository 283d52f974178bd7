import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUnderTest, type TestDatabase } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { collectLog, testConfig } from '../../../tests/harness/site.ts';
import { bringToState, makeToken, type VerbDeps, verbDeps } from '../../../tests/harness/subscribers.ts';
import { randomIds } from '../../lib/ids.ts';
import { createKeyedHash } from '../../lib/keyed-hash.ts';
import { type Services, wire } from '../../server/wire.ts';
import { admitSignUps } from './admit-sign-ups.ts';
import { confirmSubscriber } from './confirm-subscriber.ts';
import { eraseSubscriber } from './erase-subscriber.ts';
import { createPseudonyms } from './pseudonym.ts';
import { purgeSubscribers } from './purge-subscribers.ts';
import { requestSubscription } from './request-subscription.ts';
import { suppressSubscriber, unsuppressSubscriber } from './suppress-subscriber.ts';
import { unsubscribe } from './unsubscribe.ts';

const start = Date.UTC(2026, 0, 2, 3, 4, 5);
const hour = 3_600_000;
const day = 24 * hour;

describe.each(databaseUnderTest)('the newsletter on $name', ({ create }) => {
  let database: TestDatabase;
  let site: Services;
  let deps: VerbDeps;
  let now = start;

  beforeAll(async () => {
    database = await create();
    const { log } = collectLog();
    site = await wire(testConfig(database.env), { log, clock: { now: () => new Date(now) } });
  });
  beforeEach(async () => {
    now = start;
    deps = verbDeps(site);
    for (const table of [
      'deliveries',
      'tokens',
      'sign_ups',
      'subscribers',
      'scheduled_runs',
      'consent_texts',
    ])
      await database.query(`delete from ${table}`);
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  const ask = (email: string) => requestSubscription(deps, { email, form: 'footer', consentTextId: '' });
  const confirmations = () => database.query("select * from deliveries where kind = 'confirmation'");
  const haveLeft = () =>
    database.query(
      `update deliveries set state = 'delivered', settled_at = '${new Date(now).toISOString()}' where state = 'waiting'`,
    );
  const notices = () => database.query("select * from deliveries where kind = 'notice'");
  const stateOf = async (id: string) => (await deps.subscribers.get(id))?.state;

  describe('a request', () => {
    test('is stored unchanged and admitted later: one row, one mail', async () => {
      const wake = vi.fn();
      deps = { ...deps, wake };
      expect(await ask(' Zoe@Example.COM ')).toEqual({ kind: 'requested' });
      expect(await deps.signUps.count()).toBe(1);
      expect(await confirmations()).toEqual([]);
      now += 1000;
      expect(await admitSignUps(deps)).toEqual({ mailed: 1, isFull: false });
      expect(wake).toHaveBeenCalledTimes(2);
      const id = deps.newsletter.subscriberPseudonym('zoe@example.com');
      expect(await deps.subscribers.get(id)).toMatchObject({
        address: 'Zoe@example.com',
        state: 'pending',
        request_form: 'footer',
        requested_at: new Date(start).toISOString(),
      });
      expect(await confirmations()).toMatchObject([{ receiver: 'confirmations', subscriber: id }]);
    });

    test('for an invalid address is rejected, and not stored', async () => {
      expect(await ask('zoe@example.com, victim@example.org')).toEqual({ kind: 'refused' });
      expect(await deps.signUps.count()).toBe(0);
    });

    test('made 500 times concurrently for one address in many spellings causes one mail', async () => {
      const spellings = ['zoe@example.com', 'ZOE@example.com', ' zoe@EXAMPLE.com ', 'Zoe@Example.Com'];
      await Promise.all(Array.from({ length: 500 }, (_, index) => ask(spellings[index % 4] as string)));
      expect(await deps.signUps.count()).toBe(500);
      await Promise.all([admitSignUps(deps), admitSignUps(deps)]);
      expect(await deps.signUps.count()).toBe(0);
      expect(await confirmations()).toHaveLength(1);
      await ask('zoe@example.com');
      now += day - 1;
      await admitSignUps(deps);
      expect(await confirmations()).toHaveLength(1);
    });

    test('waits beyond the hourly limit; the owner is notified once a day', async () => {
      deps = verbDeps(site, 2);
      for (const name of ['a', 'b', 'c', 'd', 'e']) await ask(`${name}@example.com`);
      expect(await admitSignUps(deps)).toEqual({ mailed: 2, isFull: true });
      expect(await admitSignUps(deps)).toEqual({ mailed: 0, isFull: true });
      expect(await deps.signUps.count()).toBe(3);
      const [notice, ...more] = await notices();
      expect(more).toEqual([]);
      expect(notice?.receiver).toBe('mail');
      expect(JSON.parse(notice?.payload as string)).toEqual({
        title: expect.any(String),
        text: expect.stringMatching(/\b2 confirmation mails.*wait: 3\..*NEWSLETTER_MAX_PER_HOUR/s),
      });
      await haveLeft();
      now += hour + 1;
      expect(await admitSignUps(deps)).toEqual({ mailed: 2, isFull: true });
      await haveLeft();
      now += hour + 1;
      expect(await admitSignUps(deps)).toEqual({ mailed: 1, isFull: false });
      expect(await confirmations()).toHaveLength(5);
      expect(await notices()).toHaveLength(1);
    });
  });

  describe('a token', () => {
    test('confirms once, and only its own subscriber', async () => {
      const [id, other] = [
        await bringToState(deps, 'zoe@example.com', 'pending'),
        await bringToState(deps, 'max@example.com', 'pending'),
      ];
      const token = await makeToken(deps, id);
      const pressed = await Promise.all([confirmSubscriber(deps, token), confirmSubscriber(deps, token)]);
      expect(pressed.toSorted()).toEqual([false, true]);
      expect([await stateOf(id), await stateOf(other)]).toEqual(['confirmed', 'pending']);
      expect(await confirmSubscriber(deps, token)).toBe(false);
    });

    test('is valid for exactly seven days', async () => {
      const id = await bringToState(deps, 'zoe@example.com', 'pending');
      const [first, second] = [await makeToken(deps, id), await makeToken(deps, id)];
      now += 7 * day;
      expect(await confirmSubscriber(deps, first)).toBe(false);
      now -= 1;
      expect(await confirmSubscriber(deps, second)).toBe(true);
    });

    test('cannot be guessed or derived from what is stored', async () => {
      const id = await bringToState(deps, 'zoe@example.com', 'pending');
      const token = await makeToken(deps, id);
      const [stored] = await database.query('select hash from tokens');
      const guesses = [
        '',
        token.slice(1),
        `${token}A`,
        `${token}\n`,
        token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
        stored?.hash as string,
        id,
        "' or 1=1 --",
        ...Array.from({ length: 200 }, () => randomIds.token()),
      ];
      for (const guess of guesses) expect(await confirmSubscriber(deps, guess)).toBe(false);
      expect(await stateOf(id)).toBe('pending');
      expect(await confirmSubscriber(deps, token)).toBe(true);
    });

    test('of a subscriber who unsubscribed or was suppressed since confirms nothing', async () => {
      const id = await bringToState(deps, 'zoe@example.com', 'pending');
      const token = await makeToken(deps, id);
      await suppressSubscriber(deps, 'zoe@example.com', 'owner');
      expect(await confirmSubscriber(deps, token)).toBe(false);
      expect(await stateOf(id)).toBe('suppressed');
    });
  });

  test('an unsubscribe link works for its own subscriber, repeatedly, and after a change of the site secret', async () => {
    const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
    const other = await bringToState(deps, 'max@example.com', 'confirmed');
    const key = deps.newsletter.unsubscribeKey(id);
    for (const wrong of [
      { id: other, key },
      { id, key: '' },
      { id, key: deps.newsletter.unsubscribeKey(other) },
    ]) {
      expect(await unsubscribe(deps, wrong)).toBe(false);
    }
    expect(await stateOf(id)).toBe('confirmed');
    now += 3650 * day;
    const { log } = collectLog();
    const later = await wire(testConfig({ ...database.env, SECRET: 's'.repeat(32) }), { log });
    expect(await unsubscribe(verbDeps(later), { id, key })).toBe(true);
    await later[Symbol.asyncDispose]();
    expect(await unsubscribe(deps, { id, key })).toBe(true);
    expect([await stateOf(id), await stateOf(other)]).toEqual(['unsubscribed', 'confirmed']);
  });

  test('unconfirmed sign-ups are deleted after seven days, by one of several processes, once an hour', async () => {
    const tidy = () => purgeSubscribers({ ...deps, copies: site.copies });
    await bringToState(deps, 'zoe@example.com', 'pending');
    const [confirmation] = await confirmations();
    // Without a mail server it is a file, which names the address and holds the link.
    const payload = {
      reference: confirmation?.reference as string,
      receivedAt: confirmation?.created_at as string,
    };
    const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
    await site.newsletter.subscriberMail.confirmations.deliver(
      { kind: 'confirmation', ...payload, to: 'zoe@example.com', token: 'T' },
      attempt,
    );
    await site.receivers[1]?.deliver(
      { ...newMessage(), kind: 'message', receivedAt: payload.receivedAt },
      attempt,
    );
    const mails = () => readdirSync(join(database.dataDir, 'mail'));
    await bringToState(deps, 'max@example.com', 'confirmed');
    now += 7 * day;
    expect(await tidy()).toBe(0);
    now += 2;
    expect(await tidy()).toBe(0);
    expect(mails()).toHaveLength(2);
    now += hour;
    const tidied = await Promise.all([tidy(), tidy()]);
    expect(tidied.toSorted()).toEqual([0, 1]);
    expect(await database.query('select address from subscribers')).toEqual([{ address: 'max@example.com' }]);
    // Mails of messages are kept for as long as those.
    expect(mails().map(name => name.includes(payload.reference))).toEqual([false]);
  });

  test('the owner can suppress, unsuppress and erase any address', async () => {
    const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
    expect(await suppressSubscriber(deps, 'nobody', 'owner')).toEqual({ kind: 'impossible' });
    expect(await unsuppressSubscriber(deps, 'nobody')).toEqual({ kind: 'impossible' });
    expect(await eraseSubscriber(deps, 'nobody')).toEqual({ kind: 'impossible' });
    expect(await unsuppressSubscriber(deps, 'zoe@example.com')).toEqual({ kind: 'not suppressed' });
    expect(await suppressSubscriber(deps, 'ZOE@example.com', 'owner')).toEqual({ kind: 'suppressed' });
    expect(await suppressSubscriber(deps, 'zoe@example.com', 'bounce')).toEqual({ kind: 'already' });
    expect(await unsuppressSubscriber(deps, 'zoe@example.com')).toEqual({
      kind: 'lifted',
      state: 'confirmed',
    });
    expect(await eraseSubscriber(deps, 'Zoe@example.com')).toEqual({ kind: 'erased' });
    expect(await deps.subscribers.get(id)).toMatchObject({ address: null, suppression_reason: 'erased' });
    expect(await eraseSubscriber(deps, 'max@example.com')).toEqual({ kind: 'unknown' });
    expect(await suppressSubscriber(deps, 'max@example.com', 'owner')).toEqual({ kind: 'suppressed' });
    expect(await unsuppressSubscriber(deps, 'max@example.com')).toEqual({
      kind: 'lifted',
      state: 'forgotten',
    });
  });

  test('a bounce or a complaint about an unknown address stores nothing', async () => {
    for (const why of ['bounce', 'complaint'] as const) {
      expect(await suppressSubscriber(deps, 'max@example.com', why)).toEqual({ kind: 'unknown' });
    }
    expect(await deps.subscribers.count()).toBe(0);
  });

  test('the consent text is the one that was named, if it exists, or the current one', async () => {
    const { consentTexts, clock } = deps;
    const name = (words: Record<'home' | 'newsletter', { id: string; text: string }>, failures = 0) =>
      createPseudonyms({
        keys: createKeyedHash('k'.repeat(32)),
        consentTexts: { current: words },
        stored: {
          ...consentTexts,
          saveNew: rows => (failures-- > 0 ? Promise.reject(new Error('gone')) : consentTexts.saveNew(rows)),
        },
        clock,
      });
    const words = { home: { id: 'h1', text: 'Of home' }, newsletter: { id: 'n1', text: 'Of the page' } };
    const first = name(words, 1);
    await expect(first.resolveConsentText('home', '')).rejects.toThrow('gone');
    expect(await first.resolveConsentText('home', '')).toBe('h1');
    const second = name({ ...words, home: { id: 'h2', text: 'Of home, later' } });
    expect(await second.resolveConsentText('home', 'h1')).toBe('h1');
    expect(await second.resolveConsentText('home', 'n1')).toBe('n1');
    expect(await second.resolveConsentText('home', 'made up')).toBe('h2');
    expect(await second.resolveConsentText('constructor', 'h9')).toBe('n1');
    expect(await consentTexts.get('h1')).toMatchObject({ text: 'Of home' });
  });
});
