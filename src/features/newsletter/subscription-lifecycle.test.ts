import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { createSiteFixture } from '../../../tests/harness/site-fixture.ts';
import { bringToState, type VerbDeps, verbDeps } from '../../../tests/harness/subscribers.ts';
import { expirePendingSubscribers } from './expire-pending-subscribers.ts';
import { processSignUps } from './process-sign-ups.ts';
import { requestSubscription } from './request-subscription.ts';
import { createConsentTextResolver } from './resolve-consent-text.ts';
import { unsubscribe } from './unsubscribe.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe.each(databaseUnderTest)('the newsletter on $name', ({ create }) => {
  const fixture = createSiteFixture(create, {
    emptied: [...['deliveries', 'tokens', 'sign_ups', 'subscribers', 'scheduled_runs', 'consent_texts']],
  });
  const { query, wireSite } = fixture;
  let deps: VerbDeps;
  beforeEach(() => {
    deps = verbDeps(fixture.site);
  });

  const notices = () => query("select * from deliveries where kind = 'notice'");

  test('requests wait beyond the hourly limit; the owner is notified once a day', async () => {
    deps = verbDeps(fixture.site, 2);
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await requestSubscription(deps, { email: `${name}@example.com`, form: 'footer', consentTextId: '' });
    expect(await processSignUps(deps)).toEqual({ mailed: 2, isLimitReached: true });
    expect(await processSignUps(deps)).toEqual({ mailed: 0, isLimitReached: true });
    expect(await deps.signUps.count()).toBe(3);
    const [notice, ...more] = await notices();
    expect([notice?.receiver, more]).toEqual(['mail', []]);
    expect(JSON.parse(notice?.payload as string).text).toMatch(
      /\b2 confirmation mails.*wait: 3\..*NEWSLETTER_MAX_PER_HOUR/s,
    );
    await query(`update deliveries set state = 'delivered', settled_at = '${fixture.clock.now().toISOString()}'
      where state = 'waiting'`);
    fixture.now += hour + 1;
    expect(await processSignUps(deps)).toEqual({ mailed: 2, isLimitReached: true });
    expect(await notices()).toHaveLength(1);
  });

  test('an unsubscribe link still works after years and a change of the secret', async () => {
    const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
    const key = deps.newsletterKeys.unsubscribeKey(id);
    fixture.now += 3650 * day;
    await using later = await wireSite({ SECRET: 's'.repeat(32) });
    expect(await unsubscribe(verbDeps(later), { id, key })).toBe(true);
    expect((await deps.subscribers.get(id))?.state).toBe('unsubscribed');
  });

  test('unconfirmed sign-ups are deleted after seven days, by one of several processes, once an hour', async () => {
    const tidy = () => expirePendingSubscribers({ ...deps, copies: fixture.site.copies });
    await bringToState(deps, 'zoe@example.com', 'pending');
    const [confirmation] = await query("select * from deliveries where kind = 'confirmation'");
    const reference = confirmation?.reference as string;
    const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
    const receivedAt = fixture.clock.now().toISOString();
    // Without a mail server it is a file, which names the address and holds the link.
    const payload = {
      kind: 'confirmation',
      to: 'zoe@example.com',
      token: 'T',
      reference,
      receivedAt,
    } as const;
    await fixture.site.newsletter.subscriberMail.confirmations.deliver(payload, attempt);
    await fixture.site.receivers[1]?.deliver({ ...newMessage(), kind: 'message', receivedAt }, attempt);
    const mails = () => readdirSync(join(fixture.database.dataDir, 'mail'));
    await bringToState(deps, 'max@example.com', 'confirmed');
    fixture.now += 7 * day;
    expect(await tidy()).toBe(0);
    fixture.now += 2;
    expect(await tidy()).toBe(0);
    expect(mails()).toHaveLength(2);
    fixture.now += hour;
    const tidied = await Promise.all([tidy(), tidy()]);
    expect(tidied.toSorted()).toEqual([0, 1]);
    expect(await query('select address from subscribers')).toEqual([{ address: 'max@example.com' }]);
    // Mails of messages are kept for as long as those.
    expect(mails().map(name => name.includes(reference))).toEqual([false]);
  });

  test('the consent text is the one that was named, if it exists, or the current one', async () => {
    const { consentTexts, clock } = deps;
    const words = { home: { id: 'h1', text: 'Of home' }, newsletter: { id: 'n1', text: 'Of the page' } };
    const published = { current: words };
    const resolve = createConsentTextResolver({ consentTexts: published, stored: consentTexts, clock });
    expect(await resolve('home', '')).toBe('h1');
    published.current = { ...words, home: { id: 'h2', text: 'Of home, later' } };
    expect(await resolve('home', 'h1')).toBe('h1');
    expect(await resolve('home', 'n1')).toBe('n1');
    expect(await resolve('home', 'made up')).toBe('h2');
    expect(await resolve('constructor', 'h9')).toBe('n1');
    expect(await consentTexts.get('h1')).toMatchObject({ text: 'Of home' });
    expect(await consentTexts.get('h2')).toMatchObject({ text: 'Of home, later' });
  });
});
