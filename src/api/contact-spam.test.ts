import { beforeEach, describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../tests/harness/databases.ts';
import { form, json } from '../../tests/harness/requests.ts';
import { newMessage } from '../../tests/harness/sample-message.ts';
import {
  legitimateMessages,
  type SentMessage,
  spamMessages,
} from '../../tests/harness/sample-submissions.ts';
import { createSiteFixture } from '../../tests/harness/site-fixture.ts';
import { stubReceiver } from '../../tests/harness/stub-receiver.ts';
import { normalizeForRepeats } from '../domain/messages/score-message.ts';
import { createApp } from './app.ts';
import { honeypotField, idempotencyHeader, tokenHeader } from './contract.ts';
import { floodLimits } from './guards/flood-check.ts';

const links = 'https://slots.example/1 https://slots.example/2 https://slots.example/3';
const pitch = 'Hello, we looked at your site and can bring it to the first page of every search engine.';

describe.each(databaseUnderTest)('spam on $name', ({ create }) => {
  const fixture = createSiteFixture(create, {
    env: { RATE_LIMIT: 'on' },
    overrides: { receivers: [stubReceiver('mail')] },
    emptied: ['messages', 'deliveries'],
  });
  const { fetch, lines, query } = fixture;
  let client = 0;
  // Counts in memory outlive a test: each test is a day later.
  let days = 0;
  beforeEach(() => {
    days += 2;
    fixture.now += days * 24 * 60 * 60 * 1000;
  });

  /** Everyone has an address of their own. */
  async function send(message: SentMessage, app = fixture.site.app): Promise<void> {
    client += 1;
    const { honeypot, token, isForm, ...fields } = message;
    const body = honeypot === undefined ? fields : { ...fields, [honeypotField]: honeypot };
    const address = `2001:db8::${client.toString(16)}`;
    const issued = token === undefined ? {} : { [tokenHeader]: issue(token) };
    const response = await app.fetch((isForm ? form : json)(body, issued), { ip: address });
    expect(response.status).toBe(isForm ? 303 : 200);
    if (isForm) expect(response.headers.get('location')).toBe('/contact#sent');
  }

  function issue(age: number | 'forged'): string {
    if (age === 'forged') return `${fixture.now.toString(36)}.${'A'.repeat(43)}`;
    fixture.now -= age;
    const token = fixture.site.appDeps.formTokens.create();
    fixture.now += age;
    return token;
  }

  const quarantined = () => query("select * from messages where state = 'quarantined'");
  const reasons = async () => (await quarantined()).map(({ quarantine_reason }) => quarantine_reason);
  const countStored = async () => (await query('select reference from messages')).length;

  test('from bots is quarantined: stored unchanged and not delivered', async () => {
    const spam = Object.values(spamMessages);
    for (const message of spam) await send(message);
    const texts = (await quarantined()).map(({ message }) => message);
    expect(texts.sort()).toEqual(spam.map(({ message = '' }) => message).sort());
    expect(await query('select * from deliveries')).toEqual([]);
    const events = lines.map(line => JSON.parse(line)).filter(({ event }) => event === 'message quarantined');
    expect(events).toHaveLength(spam.length);
    expect(events[0]).toMatchObject({ reason: 'honeypot, honeypot text', requestId: expect.any(String) });
    expect(lines.join('')).not.toMatch(/slots|pills/);
  });

  test('that is repeated is quarantined from the 10th time', async () => {
    const message = `${pitch} [url=https://a.example]now[/url] ${links}`;
    const words = normalizeForRepeats(message) as string;
    for (let time = 1; time < 10; time++) await send({ message, name: `${time}` });
    await expect.poll(() => fixture.site.appDeps.repeats.count(words)).toBe(9);
    await send({ message });
    expect(await reasons()).toEqual(['links, markup, many repeats']);
    expect(await countStored()).toBe(10);
  });

  describe('is not what people send:', () => {
    test('whatever they write, and whatever their browsers do', async () => {
      const names = Object.keys(legitimateMessages);
      for (const name of names) {
        await send(legitimateMessages[name] as SentMessage);
        expect(await reasons(), name).toEqual([]);
      }
      expect(await countStored()).toBe(names.length);
      expect(await query('select * from deliveries')).toHaveLength(names.length);
    });

    test('a message that is retried while the database is down, or whose response was lost', async () => {
      const words = normalizeForRepeats(pitch) as string;
      const failing = { ...fixture.site.appDeps.messages, add: () => Promise.reject(new Error('out')) };
      const app = createApp({ ...fixture.site.appDeps, messages: failing });
      const attempt = () => json({ message: pitch }, { [idempotencyHeader]: 'a-key' });
      for (let time = 0; time < 12; time++) expect((await app.fetch(attempt())).status).toBe(503);
      expect(await fixture.site.appDeps.repeats.count(words)).toBe(0);
      for (let time = 0; time < 12; time++) expect((await fetch(attempt())).status).toBe(200);
      await expect.poll(() => fixture.site.appDeps.repeats.count(words)).toBe(1);
      expect(await query('select state from messages')).toEqual([{ state: 'new' }]);
    });
  });

  test('in a flood, which the worker announces, is any one signal; ordinary messages are delivered', async () => {
    const received_at = fixture.clock.now().toISOString();
    const flood = Array.from({ length: floodLimits.max + 1 }, () => newMessage({ received_at }));
    await Promise.all(flood.map(fixture.site.store.messages.add));
    // A process counts once a second: this one has not counted yet.
    await using other = await fixture.wireSite();
    await send({ message: 'Hello', honeypot: 'Zoë' }, other.app);
    const names = ['a line', 'a name alone', 'no script', 'no token', 'a long text', 'Chinese', 'Arabic'];
    for (const name of names) await send(legitimateMessages[name] as SentMessage, other.app);
    expect(await reasons()).toEqual(['flood, honeypot']);
    expect(await query('select * from deliveries')).toHaveLength(names.length);
    await other.worker.start();
    await expect.poll(() => fixture.events().map(({ event }) => event)).toContain('flood began');
  });

  test('with only the honeypot filled in is empty', async () => {
    await send({ honeypot: 'https://pills.example' });
    expect(await query('select state from messages')).toEqual([{ state: 'empty' }]);
  });
});
