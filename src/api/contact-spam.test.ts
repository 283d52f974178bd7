import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUnderTest, type TestDatabase } from '../../tests/harness/databases.ts';
import { form, json, origin } from '../../tests/harness/requests.ts';
import {
  legitimateMessages,
  type SentMessage,
  spamMessages,
} from '../../tests/harness/sample-submissions.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import { stubReceiver } from '../../tests/harness/stub-receiver.ts';
import { normalizeForRepeats } from '../domain/messages/score-message.ts';
import { type Services, wire } from '../server/wire.ts';
import { createApp } from './app.ts';
import { honeypotField, idempotencyHeader, tokenHeader, tokenPath } from './contract.ts';
import { createMemoryCounts, noRateLimit, type RateCounts } from './guards/rate-limit.ts';
import { createRepeatCounter } from './guards/repeated-messages.ts';

const start = Date.UTC(2026, 0, 2, 3, 4, 5);
const links = 'https://slots.example/1 https://slots.example/2 https://slots.example/3';
const pitch = 'Hello, we looked at your site and can bring it to the first page of every search engine.';

describe.each(databaseUnderTest)('spam on $name', ({ create }) => {
  const { log, lines } = collectLog();
  let database: TestDatabase;
  let site: Services;
  let now: number;
  let client = 0;

  beforeAll(async () => {
    database = await create();
    now = start;
    const clock = { now: () => new Date(now) };
    const config = testConfig({ ...database.env, RATE_LIMIT: 'on' });
    site = await wire(config, { log, clock, receivers: [stubReceiver('mail')] });
  });
  beforeEach(async () => {
    // Nothing of what an earlier test has sent counts a day later.
    now += 25 * 60 * 60 * 1000;
    lines.length = 0;
    for (const table of ['messages', 'deliveries']) await database.query(`delete from ${table}`);
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  type Way = { headers?: Record<string, string>; address?: string; app?: Services['app'] };

  /** Everyone has an address of their own, unless they share one. */
  async function send(
    message: SentMessage,
    { headers, address, app = site.app }: Way = {},
  ): Promise<Response> {
    client += 1;
    const { honeypot, token, isForm, ...fields } = message;
    const body = honeypot === undefined ? fields : { ...fields, [honeypotField]: honeypot };
    const context = { address: address ?? `2001:db8::${client.toString(16)}` };
    const issued = token === undefined ? {} : { [tokenHeader]: issue(token) };
    const response = await app.fetch((isForm ? form : json)(body, { ...issued, ...headers }), context);
    expect(response.status).toBe(isForm ? 303 : 200);
    if (isForm) expect(response.headers.get('location')).toBe('/contact#sent');
    return response;
  }

  function issue(age: number | 'forged'): string {
    if (age === 'forged') return `${now.toString(36)}.${'A'.repeat(43)}`;
    now -= age;
    const token = site.appDeps.formTokens.create();
    now += age;
    return token;
  }

  /** The last of them, after the others were counted. */
  async function sendTimes(times: number, message: (time: number) => SentMessage, way?: Way): Promise<void> {
    const words = normalizeForRepeats(message(1).message ?? '') as string;
    expect(words).toBeDefined();
    await Promise.all(Array.from({ length: times - 1 }, (_, index) => send(message(index + 1), way)));
    await expect.poll(() => site.appDeps.repeats.count(words)).toBe(times - 1);
    await send(message(times), way);
  }

  const quarantined = () => database.query("select * from messages where state = 'quarantined'");
  const reasons = async () => (await quarantined()).map(({ quarantine_reason }) => quarantine_reason);
  const countStored = async () => (await database.query('select reference from messages')).length;

  test('from bots is quarantined: stored unchanged and not delivered', async () => {
    const names = Object.keys(spamMessages);
    for (const name of names) {
      await send(spamMessages[name] as SentMessage);
      expect(await quarantined(), name).toHaveLength(names.indexOf(name) + 1);
    }
    expect(await database.query('select * from deliveries')).toEqual([]);
    const stored = await quarantined();
    expect(stored.map(({ message }) => message)).toEqual(
      expect.arrayContaining(names.map(name => spamMessages[name]?.message ?? '')),
    );
    const events = lines.map(line => JSON.parse(line)).filter(({ event }) => event === 'message quarantined');
    expect(events).toHaveLength(names.length);
    expect(events[0]).toMatchObject({ why: 'honeypot, honeypot text', requestId: expect.any(String) });
    expect(lines.join('')).not.toMatch(/slots|pills/);
  });

  test.each<[string, number, (time: number) => SentMessage, string]>([
    [
      'with links for forums and other numbers each time',
      10,
      time => ({ message: `${pitch} [url=https://a${time}.example]now[/url] ${links}`, name: `${time}` }),
      'links, markup, many repeats',
    ],
    [
      'by a robot that fills in the honeypot and is quick',
      10,
      time => ({ message: `${pitch} Offer ${time}`, honeypot: 'John', token: 100 }),
      'honeypot, fast, many repeats',
    ],
    ['by many robots, with links', 50, () => ({ message: `${pitch} ${links} ${links}` }), 'links, campaign'],
    [
      'by many robots that fill in the honeypot',
      50,
      () => ({ message: pitch, honeypot: 'a' }),
      'honeypot, campaign',
    ],
  ])('that is repeated %s is quarantined from the %dth time', async (_, times, message, why) => {
    await sendTimes(times, message);
    expect(await reasons()).toEqual([why]);
    expect(await countStored()).toBe(times);
  });

  test.each<[string, SentMessage]>([
    ['a filled honeypot', { message: 'Hello', honeypot: 'Zoë' }],
    ['haste', { message: 'Hello', token: 0 }],
    ['links', { message: links }],
    ['markup', { message: `${pitch} <a href=x>` }],
  ])('is not %s alone', async (_, message) => {
    await send(message);
    await send({ ...message, isForm: true });
    expect(await reasons()).toEqual([]);
    expect(await countStored()).toBe(2);
  });

  test('is not a text that is only sent repeatedly', async () => {
    await sendTimes(60, () => ({ message: pitch, token: 60_000 }));
    expect(await reasons()).toEqual([]);
  });

  describe('is not what people send:', () => {
    test('whatever they write, and whatever their browsers do', async () => {
      const names = Object.keys(legitimateMessages);
      for (const name of names) {
        await send(legitimateMessages[name] as SentMessage);
        expect(await reasons(), name).toEqual([]);
      }
      expect(await countStored()).toBe(names.length);
      expect(await database.query('select * from deliveries')).toHaveLength(names.length);
    });

    test('a hundred from one office, and twenty that paste its template', async () => {
      const way = { address: '192.0.2.1' };
      const template = 'As told by our head of security, we ask for an appointment about the yearly audit.';
      const different = (index: number) => ({
        message: `${numbered(index)} needs help.`,
        token: 5000 + index,
      });
      await Promise.all(Array.from({ length: 100 }, (_, index) => send(different(index), way)));
      await sendTimes(20, time => ({ name: `Colleague ${time}`, message: template, token: 1000 }), way);
      expect(await reasons()).toEqual([]);
      expect(await countStored()).toBe(120);
    });

    test('a template with domains that a whole office pastes, each filled in by a browser', async () => {
      const domains = 'https://shop.mueller.example https://mail.mueller.example https://vpn.mueller.example';
      const message = (time: number) =>
        `Please audit all of these domains of our company: ${domains}/${time}`;
      await sendTimes(20, time => ({ message: message(time), token: 500 }));
      await sendTimes(9, () => ({ message: pitch, honeypot: 'Zoë', token: 500 }));
      expect(await reasons()).toEqual([]);
    });

    test('a message that is retried while the database is down, or whose response was lost', async () => {
      const words = normalizeForRepeats(pitch) as string;
      const failing = { ...site.appDeps.messages, add: () => Promise.reject(new Error('out')) };
      const app = createApp({ ...site.appDeps, messages: failing });
      const attempt = () => json({ message: pitch }, { [idempotencyHeader]: 'a-key' });
      for (let time = 0; time < 12; time++) expect((await app.fetch(attempt())).status).toBe(503);
      expect(await site.appDeps.repeats.count(words)).toBe(0);
      for (let time = 0; time < 12; time++) expect((await site.app.fetch(attempt())).status).toBe(200);
      await expect.poll(() => site.appDeps.repeats.count(words)).toBe(1);
      expect(await database.query('select state from messages')).toEqual([{ state: 'new' }]);
    });

    test('a text that was repeated a day before', async () => {
      await sendTimes(10, () => ({ message: pitch, honeypot: 'Zoë' }));
      now += 24 * 60 * 60 * 1000;
      await send({ message: pitch, honeypot: 'Zoë', token: 100 });
      expect(await reasons()).toEqual([]);
    });
  });

  test('gets the same response as any message', async () => {
    const read = async (response: Response) => {
      const headers = Object.fromEntries(response.headers);
      return { headers: { ...headers, 'x-request-id': '' }, body: hideReference(await response.text()) };
    };
    const honeypot = 'https://pills.example';
    for (const isForm of [false, true]) {
      const ordinary = await read(await send({ message: 'Hello', isForm }));
      expect(await read(await send({ message: 'Hello', honeypot, isForm: !isForm }))).not.toEqual(ordinary);
      expect(await read(await send({ message: 'Hello there', honeypot, isForm }))).toEqual(ordinary);
    }
    expect(await quarantined()).toHaveLength(4);
  });

  test('is stored once per key, and counted once', async () => {
    const message = { message: pitch, honeypot: 'https://pills.example' };
    const keyed = { headers: { [idempotencyHeader]: 'one' } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(message, keyed)));
    expect(new Set(await Promise.all(answers.map(answer => answer.text()))).size).toBe(1);
    expect(await quarantined()).toHaveLength(1);
    await expect.poll(() => site.appDeps.repeats.count(normalizeForRepeats(pitch) as string)).toBe(1);
  });

  describe('in a flood', () => {
    const flooded = () => createApp({ ...site.appDeps, isFlood: () => Promise.resolve(true) });

    test.each<[string, SentMessage, string]>([
      ['a filled honeypot', { message: 'Hello', honeypot: 'Zoë' }, 'flood, honeypot'],
      ['haste', { message: 'Hello', token: 0 }, 'flood, fast'],
      ['links', { message: links }, 'flood, links'],
      ['markup', { message: `${pitch} <a href=x>` }, 'flood, markup'],
    ])('is %s alone', async (_, message, why) => {
      await send(message, { app: flooded() });
      expect(await reasons()).toEqual([why]);
    });

    test('is a text sent for the third time, before the flood or during it', async () => {
      const way = { app: flooded() };
      await sendTimes(3, () => ({ message: pitch, token: 60_000 }), way);
      expect(await reasons()).toEqual(['flood, repeats']);
      const other = `${pitch} Write to us.`;
      await sendTimes(2, () => ({ message: other, token: 60_000 }));
      await expect.poll(() => site.appDeps.repeats.count(normalizeForRepeats(other) as string)).toBe(2);
      await send({ message: other, token: 60_000 }, way);
      expect(await reasons()).toEqual(['flood, repeats', 'flood, repeats']);
    });

    test('is not an ordinary message', async () => {
      const names = ['a line', 'a name alone', 'no script', 'no token', 'a long text', 'Chinese', 'Arabic'];
      for (const name of names) await send(legitimateMessages[name] as SentMessage, { app: flooded() });
      expect(await reasons()).toEqual([]);
      expect(await database.query('select * from deliveries')).toHaveLength(names.length);
    });
  });

  test('with only the honeypot filled in is empty', async () => {
    await send({ honeypot: 'https://pills.example' });
    expect(await database.query('select state from messages')).toEqual([{ state: 'empty' }]);
  });

  test.each([1, null, ['https://pills.example'], { a: 1 }])(
    '%j in the honeypot is ignored',
    async honeypot => {
      expect((await site.app.fetch(json({ message: 'Hello', [honeypotField]: honeypot }))).status).toBe(200);
      expect(await reasons()).toEqual([]);
    },
  );

  test.each<[string, Partial<RateCounts>]>([
    ['fails', { read: () => Promise.reject(new Error('no count today')) }],
    ['hangs', { read: () => new Promise<never>(() => undefined) }],
    ['cannot be added to', { add: () => Promise.reject(new Error('no count today')) }],
  ])('is not suspected when counting %s', async (_, broken) => {
    const { clock, keys, appDeps } = site;
    const counts = createMemoryCounts();
    const words = keys.sign('repeats', normalizeForRepeats(pitch) as string);
    await counts.add(Array(60).fill(words), clock.now().toISOString(), new Date(now + 1000).toISOString());
    const repeats = createRepeatCounter({ counts: { ...counts, ...broken }, clock, keys, log });
    const app = createApp({ ...appDeps, repeats, rateLimit: noRateLimit });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sending = send({ message: pitch }, { app });
    await vi.advanceTimersByTimeAsync(1500);
    vi.useRealTimers();
    await sending;
    expect(await database.query('select state from messages')).toEqual([{ state: 'new' }]);
    await expect.poll(() => lines.join('')).toContain('repeats not counted');
  });

  describe('the token', () => {
    const ask = (method = 'GET') => site.app.fetch(new Request(origin + tokenPath, { method }));

    test('is issued to every client, and not cached', async () => {
      const response = await ask();
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(response.headers.get('content-type')).toBe('application/json');
      const { token } = (await response.json()) as { token: string };
      expect(site.appDeps.formTokens.getAgeMs(token)).toBe(0);
      expect((await ask('HEAD')).status).toBe(200);
      expect(lines.map(line => JSON.parse(line)).filter(({ level }) => level !== 'debug')).toEqual([]);
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is not for %s', async method => {
      const response = await ask(method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });
});

function numbered(index: number): string {
  const letters = [index % 10, Math.floor(index / 10)].map(digit => 'abcdefghij'[digit] ?? '');
  return `The department of our company that everybody here calls ${letters.join('')}`;
}

function hideReference(body: string): string {
  return body.replace(/"[0-9A-Z]{5}-[0-9A-Z]{5}"/, '"REFERENCE"');
}
