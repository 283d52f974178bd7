import { beforeEach, describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../../tests/harness/databases.ts';
import { form, json } from '../../../../tests/harness/requests.ts';
import { newMessage } from '../../../../tests/harness/sample-message.ts';
import { createSiteFixture } from '../../../../tests/harness/site-fixture.ts';
import { stubReceiver } from '../../../../tests/harness/stub-receiver.ts';
import { createSiteApp } from '../../../apps/server/app.ts';
import { floodLimits } from '../../../core/http/flood-check.ts';
import { honeypotField } from '../../../ui/contract.ts';
import { idempotencyHeader, tokenHeader } from '../contract.ts';
import { createMessagesFeature, messages } from '../feature.ts';
import type { MessageFields } from '../message-fields.ts';
import { normalizeForRepeats } from '../score-message.ts';

const links = 'https://slots.example/1 https://slots.example/2 https://slots.example/3';
const pitch = 'Hello, we looked at your site and can bring it to the first page of every search engine.';

/** A submitted message; `token` is the age of its form token in milliseconds. */
type SentMessage = Partial<MessageFields> & {
  honeypot?: string;
  token?: number | 'forged';
  isForm?: boolean;
};

const says = (message: string, more: SentMessage = {}): SentMessage => ({
  ...{ name: 'Zoë Müller', email: 'zoe@mueller.example', message },
  ...more,
});

/** What people write and how they send it, by what is special about it. None may be quarantined. */
const legitimateMessages: Record<string, SentMessage> = {
  'a line': says('Please call me about an audit, +44 20 7946 0018.', { token: 40_000 }),
  'a name alone': { name: 'Zoë' },
  'no script': says('We were hacked last night.\r\nPlease help.', { isForm: true }),
  'no token': says('Our shop was defaced this morning, who can look at it today?'),
  'a token of yesterday': says('I left this page open overnight.', { token: 25 * 60 * 60 * 1000 }),
  'a token that is not ours': says('My proxy changes headers.', { token: 'forged' }),
  'pasted at once, with a name in the honeypot': says('I need a quote.', { honeypot: 'Zoë', token: 700 }),
  'a list of links with a sample of markup, pasted': says(
    '<a href="https://evil.example/1">x</a> https://evil.example/2 https://evil.example/3',
    { token: 300 },
  ),
  'a long text': says('A long story, told in full and with care. '.repeat(700), { token: 90_000 }),
  Chinese: says('您好，我们的网站 www.mueller.example 昨晚被攻击了，请尽快联系我们。', { token: 20_000 }),
  Arabic: says('مرحبا، نحتاج إلى اختبار اختراق لموقعنا في أقرب وقت ممكن، شكرا لكم.', { isForm: true }),
  'words that others use for spam': says('We sell pharmacy supplies and casino software. Free bitcoin, too.'),
};

/** What bots send, by how they do it. Each must be quarantined. */
const spamMessages: Record<string, SentMessage> = {
  'a link in every field': {
    ...{ name: 'https://pills.example', message: 'https://pills.example' },
    honeypot: 'https://pills.example',
  },
  'anchors for a guest book': {
    ...{ name: 'Eugenia', message: `<a href="https://slots.example">slots</a> ${links}` },
    ...{ honeypot: '83127744612', isForm: true },
  },
  'a link in the honeypot, sent with patience': {
    message: 'I love it',
    honeypot: 'http://pills.example/?id=7',
    token: 60_000,
  },
};

describe.each(databaseUnderTest)('spam on $name', ({ create }) => {
  const fixture = createSiteFixture(create, {
    env: { RATE_LIMIT: 'on' },
    overrides: { features: [createMessagesFeature({ receivers: [stubReceiver('mail')] })] },
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
    const token = fixture.site.started.get(messages).formTokens.create();
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
    await expect.poll(() => fixture.site.started.get(messages).repeats.count(words)).toBe(9);
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
      const { appDeps, started } = fixture.site;
      const failing = { ...started.get(messages).messages, add: () => Promise.reject(new Error('out')) };
      const app = createSiteApp(appDeps, started.with(messages, { messages: failing }));
      const attempt = () => json({ message: pitch }, { [idempotencyHeader]: 'a-key' });
      for (let time = 0; time < 12; time++) expect((await app.fetch(attempt())).status).toBe(503);
      expect(await fixture.site.started.get(messages).repeats.count(words)).toBe(0);
      for (let time = 0; time < 12; time++) expect((await fetch(attempt())).status).toBe(200);
      await expect.poll(() => fixture.site.started.get(messages).repeats.count(words)).toBe(1);
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
