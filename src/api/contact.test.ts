import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUnderTest, type TestDatabase } from '../../tests/harness/databases.ts';
import { form, json, origin } from '../../tests/harness/requests.ts';
import { newMessage } from '../../tests/harness/sample-message.ts';
import { collectLog, testConfig, withTrustedClock } from '../../tests/harness/site.ts';
import type { Receiver } from '../deliveries/delivery.ts';
import { BusyError } from '../lib/busy-error.ts';
import { type ServiceOverrides, type Services, wire } from '../server/wire.ts';
import type { NewMessage } from '../store/messages.ts';
import { createApp } from './app.ts';
import { honeypotField, idempotencyHeader, limits, type Problem } from './contract.ts';
import { createFloodCheck, floodLimits } from './guards/flood-check.ts';
import { createRateLimit, rateLimits } from './guards/rate-limit.ts';

const words = { name: 'Zoë', email: 'zoe@example.com', message: 'one\ntwo', service: '' };
const start = Date.UTC(2026, 0, 2, 3, 4, 5);

describe.each(databaseUnderTest)('a contact message on $name', ({ name, create }) => {
  const { log, lines } = collectLog();
  let database: TestDatabase;
  let site: Services;
  let now: number;

  beforeAll(async () => {
    database = await create();
    now = start;
    site = await build();
  });
  beforeEach(async () => {
    now = start;
    lines.length = 0;
    for (const table of ['messages', 'deliveries', 'rate_counts'])
      await database.query(`delete from ${table}`);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  function build(
    env: Record<string, string> = {},
    overrides: Partial<ServiceOverrides> = {},
  ): Promise<Services> {
    const parts = { log, receivers, ...withTrustedClock({ now: () => new Date(now) }), ...overrides };
    return wire(testConfig({ ...database.env, ...env }), parts);
  }

  const stored = () => database.query('select * from messages');
  const deliveries = () => database.query('select receiver from deliveries order by receiver');

  /** The status, and the reference of the message, or what the problem says. */
  async function send(request: Request, { app }: Pick<Services, 'app'> = site, address = '192.0.2.1') {
    const response = await app.fetch(request, { address });
    const retryAfter = Number(response.headers.get('retry-after'));
    const location = response.headers.get('location');
    const body = location ? {} : ((await response.json()) as Partial<Problem> & { reference?: string });
    return { status: response.status, location, retryAfter, ...body };
  }

  describe('with an idempotency key', () => {
    const keyed = (key: string, fields: unknown = words) => json(fields, { 'idempotency-key': key });

    test('is stored once under one reference, also when sent 50 times concurrently and again later', async () => {
      const sent = await Promise.all(Array.from({ length: 50 }, () => send(keyed('fifty'))));
      now += 3_600_000;
      sent.push(await send(keyed('fifty')), await send(keyed('"fifty"')));
      expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
      const references = [...new Set(sent.map(({ reference }) => reference))];
      expect(await stored()).toMatchObject([{ reference: references[0] }]);
      expect(references).toHaveLength(1);
      expect(await deliveries()).toEqual([{ receiver: 'mail' }, { receiver: 'sheet' }]);
    });

    test('that contains an address is stored only as a keyed hash, the same in every process and after a change of SECRET', async () => {
      const key = 'ann@example.org';
      const { reference } = await send(keyed(key));
      await send(
        form({
          ...words,
          message: 'other',
          unsent: JSON.stringify({ fields: { ...words, message: 'other' }, key: `${key}/2` }),
        }),
      );
      expect(await stored()).toHaveLength(2);
      expect(JSON.stringify(await stored())).not.toContain(key);
      expect((await stored()).map(row => row.idempotency_key)).toContain(site.appDeps.hashKey(key));
      await using rotated = await build({ SECRET: 'another secret of thirty-two letters' });
      expect(await send(keyed(key), rotated)).toMatchObject({ status: 200, reference });
      const secrets = { getOrCreate: async () => 'another', get: async () => undefined };
      const foreign = await build({}, { store: { ...site.store, secrets } });
      expect(foreign.appDeps.hashKey(key)).not.toBe(site.appDeps.hashKey(key));
    });

    test('of another message is 422 without a field', async () => {
      await send(keyed('taken'));
      for (const field of ['name', 'message', 'service']) {
        const conflict = await send(keyed('taken', { ...words, [field]: 'other' }));
        expect(conflict).toMatchObject({ status: 422, title: expect.stringContaining('Idempotency-Key') });
        expect(conflict).not.toHaveProperty('field');
      }
      expect(await stored()).toMatchObject([words]);
    });

    test('is the same message with other line endings', async () => {
      const first = await send(keyed('lines'));
      const again = await send(keyed('lines', { ...words, message: 'one\r\ntwo' }));
      expect([again.status, again.reference]).toEqual([200, first.reference]);
      expect(await stored()).toMatchObject([{ message: 'one\ntwo' }]);
    });

    test.each(['', 'two words', 'x'.repeat(201), 'schlüssel', '""'])(
      '%j, which is none, is 400',
      async key => {
        expect(await send(keyed(key))).toMatchObject({ status: 400 });
        expect(await stored()).toEqual([]);
      },
    );
  });

  describe('from a form without JavaScript', () => {
    const posted = { ...words, message: 'one\r\ntwo', form: 'services' };
    const unsent = (fields: unknown, key: unknown = 'of-the-tab') => JSON.stringify({ fields, key });
    const sent = { status: 303, location: '/creator#sent' };
    const sentWaiting = { status: 303, location: '/creator?waiting#sent' };

    test('that is unsent in its tab is stored once, by form and by script', async () => {
      expect(await send(form({ ...posted, unsent: unsent(words) }))).toMatchObject(sentWaiting);
      const { reference } = await send(json(words, { 'idempotency-key': 'of-the-tab' }));
      expect(await send(form({ ...posted, unsent: unsent(words) }))).toMatchObject(sentWaiting);
      expect(await stored()).toMatchObject([{ reference, message: 'one\r\ntwo' }]);
      expect(await deliveries()).toHaveLength(receivers.length);
    });

    test('may be as long as any other, although the form contains an unsent copy', async () => {
      // Nine bytes a character, once in the form and once in its copy.
      const message = '界'.repeat(6000);
      const long = { ...words, message };
      const waiting = { ...posted, message, unsent: unsent(long) };
      expect(new URLSearchParams(waiting).toString().length).toBeGreaterThan(limits.maxBodyBytes);
      expect(await send(form(waiting))).toMatchObject(sentWaiting);
      expect(await stored()).toMatchObject([
        { message, idempotency_key: site.appDeps.hashKey('of-the-tab') },
      ]);
      const longer = { ...posted, message: '界'.repeat(22_000) };
      expect(await send(form(longer))).toMatchObject({ status: 303, location: '/creator#refused' });
    });

    test.each([
      ['another message', unsent({ ...words, message: 'other' }, 'key')],
      ['no JSON', '{"fields":'],
      ['null', 'null'],
      ['a list', '[]'],
      ['a list of fields', unsent([], 'key')],
      ['a number for a field', unsent({ ...words, name: 1 }, 'key')],
      ['a number for a key', unsent(words, 1)],
      ['an unreadable key', unsent(words, 'two words')],
      ['a prototype', `{"__proto__":${unsent(words, 'key')}}`],
      ['a prototype of fields', `{"fields":{"__proto__":${JSON.stringify(words)}},"key":"key"}`],
      ['a great many', '['.repeat(10_000)],
    ])('takes no key from an unsent message that differs: %s', async (_, text) => {
      expect(await send(form({ ...posted, unsent: text }))).toMatchObject(sentWaiting);
      expect(await stored()).toHaveLength(1);
      // The key that it would have had is free.
      expect(await send(json({ ...words, message: 'other' }, { 'idempotency-key': 'key' }))).toMatchObject({
        status: 200,
      });
    });

    test('that is not valid UTF-8 is rejected; a typed replacement character is not', async () => {
      const post = (body: string) => send(form(body));
      expect((await post('message=a%FFb&form=services')).status).toBe(400);
      expect(await stored()).toEqual([]);
      expect(await post('message=a%EF%BF%BDb+100%25&form=services')).toMatchObject(sent);
      expect(await stored()).toMatchObject([{ message: 'a\ufffdb 100%' }]);
    });

    test('submitted twice is one message; with other words, or later, another', async () => {
      await Promise.all([send(form(posted)), send(form(posted))]);
      expect(await stored()).toHaveLength(1);
      expect(await deliveries()).toHaveLength(receivers.length);
      await send(form({ ...posted, message: 'three' }));
      expect(await stored()).toHaveLength(2);
      now += 10 * 60_000;
      expect(await send(form(posted))).toMatchObject(sent);
      expect(await stored()).toHaveLength(3);
    });
  });

  test('goes to every receiver, unless it is empty', async () => {
    await send(json(words));
    expect(await deliveries()).toEqual([{ receiver: 'mail' }, { receiver: 'sheet' }]);
    await send(json({ message: ' \n' }));
    expect(await stored()).toHaveLength(2);
    expect(await deliveries()).toHaveLength(2);
  });

  test('with any body is accepted, malformed or invalid: never an unexpected error', async () => {
    const field = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue());
    const fields = fc.record(
      { name: field, email: field, message: field, service: field },
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      fc.json(),
      fields.map(value => JSON.stringify(value)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(text, async body => {
        expect([200, 400, 422]).toContain((await send(json(body))).status);
      }),
      { numRuns: 60 },
    );
    expect(lines.join('')).not.toContain('"level":"error"');
  });

  describe('too many', () => {
    let limited: Services;
    beforeEach(async () => {
      limited = await build({ RATE_LIMIT: 'on' });
    });
    afterEach(() => limited[Symbol.asyncDispose]());

    const sendMany = (count: number, sites: Services[]) =>
      Promise.all(Array.from({ length: count }, (_, index) => send(json({}), sites[index % sites.length])));
    const countOf = (results: { status: number }[], wanted: number) =>
      results.filter(({ status }) => status === wanted).length;

    test('from one address are 429 with Retry-After; other addresses are not affected', async () => {
      const results = await sendMany(rateLimits.perClient.message + 5, [limited]);
      expect([countOf(results, 200), countOf(results, 429)]).toEqual([rateLimits.perClient.message, 5]);
      now += 60_000;
      expect(await send(json({}), limited)).toMatchObject({ status: 429, retryAfter: 540 });
      expect(await send(form(words), limited)).toMatchObject({ status: 303, location: '/contact#refused' });
      expect(await stored()).toHaveLength(rateLimits.perClient.message);
      expect((await send(json({}), limited, '192.0.2.2')).status).toBe(200);
      now += 540_000;
      expect((await send(json({}), limited)).status).toBe(200);
    });

    if (name === 'PostgreSQL') {
      test('are counted exactly across all processes', async () => {
        const other = await build({ RATE_LIMIT: 'on' });
        const results = await sendMany(rateLimits.perClient.message * 2, [limited, other]);
        expect([countOf(results, 200), countOf(results, 429)]).toEqual(
          Array(2).fill(rateLimits.perClient.message),
        );
        await other[Symbol.asyncDispose]();
      });
    }

    test('that are replays, invalid or empty cause no flood: the next message is delivered', async () => {
      const attack = (count: number, network: string, request: (index: number) => Request) =>
        Promise.all(
          Array.from({ length: count }, (_, index) =>
            send(request(index), limited, `${network}.${1 + (index % 6)}`),
          ),
        );
      const replays = await attack(606, '192.0.2', () => json(words, { [idempotencyHeader]: 'one-key' }));
      const refused = await attack(606, '198.51.100', () => json({ ...words, email: 'no address' }));
      const empty = await attack(606, '203.0.113', () => json({ name: ' ' }));
      expect([replays, refused, empty].map(([first]) => first?.status)).toEqual([200, 422, 200]);
      expect((await stored()).filter(({ state }) => state !== 'empty')).toHaveLength(1);

      // As seen by the process that was attacked, and by one that has just started.
      const restarted = await build({ RATE_LIMIT: 'on' });
      for (const site of [limited, restarted]) {
        const { reference } = await send(json({ ...words, message: 'Honest.' }), site, '192.0.2.100');
        expect(await limited.store.messages.get(reference as string)).toMatchObject({ state: 'new' });
        expect(await site.appDeps.isFlood()).toBe(false);
      }
      expect(await deliveries()).toHaveLength(3 * receivers.length);
      await restarted[Symbol.asyncDispose]();
    });

    test('in total are a flood, during which messages without another spam signal are delivered', async () => {
      const at = limited.clock.now().toISOString();
      const add = (count: number, about: Partial<NewMessage>) =>
        Promise.all(
          Array.from({ length: count }, () =>
            limited.store.messages.add(newMessage({ received_at: at, ...about })),
          ),
        );
      const isFlood = () =>
        createFloodCheck({ messages: limited.store.messages, clock: limited.clock, log })();
      await add(floodLimits.max - 2, { state: 'new' });
      await add(1, { state: 'quarantined' });
      await add(1, { state: 'spam' });
      await add(5, { state: 'empty' });
      expect(await isFlood()).toBe(false);
      await add(1, { state: 'new' });
      expect(await isFlood()).toBe(true);

      // A process that has just started, with whatever it counted before.
      const restarted = await build({ RATE_LIMIT: 'on' });
      const { status, reference } = await send(json(words), restarted);
      expect(status).toBe(200);
      expect(await limited.store.messages.get(reference as string)).toMatchObject({
        state: 'new',
        quarantine_reason: '',
      });
      expect(await deliveries()).toHaveLength(receivers.length);
      const spam = await send(json({ ...words, [honeypotField]: 'Zoë' }), restarted);
      expect(await limited.store.messages.get(spam.reference as string)).toMatchObject({
        state: 'quarantined',
        quarantine_reason: 'flood, honeypot',
      });
      await restarted[Symbol.asyncDispose]();
      now += floodLimits.windowMs;
      expect(await isFlood()).toBe(false);
    });

    test.each([
      ['fails', () => Promise.reject(new Error('no count today'))],
      ['hangs', () => new Promise<never>(() => undefined)],
    ])('are not limited while counting %s', async (_, add) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { clock, keys } = limited;
      const rateLimit = createRateLimit({ counts: { add }, clock, keys, log });
      const sending = send(json(words), { app: createApp({ ...limited.appDeps, rateLimit }) });
      for (let counted = 0; counted < 3; counted += 1) await vi.advanceTimersByTimeAsync(1500);
      expect((await sending).status).toBe(200);
      expect(await stored()).toMatchObject([{ state: 'new' }]);
      expect(lines.join('')).toContain('requests not counted');
    });

    test('are not limited where RATE_LIMIT is off', async () => {
      const results = await sendMany(rateLimits.perClient.message + 1, [site]);
      expect(countOf(results, 200)).toBe(results.length);
    });
  });

  describe('that cannot be stored', () => {
    test('is 503, and the process is not ready until a write succeeds', async () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      const ready = async () => (await site.app.fetch(new Request(`${origin}/readyz`))).status;
      expect(await ready()).toBe(200);
      for (const statement of noRoom[name]?.make ?? []) await database.query(statement);
      expect(await send(json(words))).toMatchObject({ status: 503, retryAfter: 5 });
      expect(await ready()).toBe(503);
      const why = lines.map(line => JSON.parse(line)).find(({ event }) => event === 'message not stored');
      expect(why).toMatchObject({ level: 'error', error: expect.stringMatching(/no room/) });

      for (const statement of noRoom[name]?.mend ?? []) await database.query(statement);
      expect(await stored()).toEqual([]);
      expect((await send(json(words))).status).toBe(200);
      vi.advanceTimersByTime(1001);
      expect(await ready()).toBe(200);
    });

    test('because of backpressure is 503 at once, is logged once, and leaves the process ready', async () => {
      const add = () => Promise.reject(new BusyError('many wait already'));
      for (const [hasCapacity, line] of [
        [() => false, site.store.messages.add],
        [() => true, add],
      ] as const) {
        const messages = { ...site.store.messages, hasCapacity, add: line };
        const crowded = await build({}, { store: { ...site.store, messages } });
        lines.length = 0;
        for (const request of [json(words), json(words)]) {
          expect(await send(request, crowded)).toMatchObject({ status: 503, retryAfter: 5 });
        }
        expect((await crowded.app.fetch(new Request(`${origin}/readyz`))).status).toBe(200);
        const logged = lines
          .map(text => JSON.parse(text))
          .filter(({ level }) => ['warn', 'error'].includes(level));
        expect(logged).toMatchObject([{ level: 'warn', event: 'too busy', count: 1 }]);
      }
      expect(await stored()).toEqual([]);
    });

    test('because the store hangs is 503 after the timeout', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const messages = { ...site.store.messages, add: () => new Promise<never>(() => undefined) };
      const hanging = await build({}, { store: { ...site.store, messages } });
      const sending = send(json(words), hanging);
      await vi.advanceTimersByTimeAsync(8000);
      expect((await sending).status).toBe(503);
      expect(lines.join('')).toContain('no answer within 8000 ms');
    });
  });

  describe('the secret', () => {
    test('is created once by two concurrent processes, survives restarts, and is still accepted after SECRET is set', async () => {
      await database.query('delete from secrets');
      const [one, other] = await Promise.all([build(), build()]);
      const signature = one.keys.sign('a purpose', 'text');
      expect(other.keys.sign('a purpose', 'text')).toBe(signature);
      await one[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();

      const later = await build();
      expect(later.keys.sign('a purpose', 'text')).toBe(signature);
      await later[Symbol.asyncDispose]();

      const set = await build({ SECRET: 'a secret of the settings, long enough' });
      expect(set.keys.sign('a purpose', 'text')).not.toBe(signature);
      expect(set.keys.verify('a purpose', 'text', signature)).toBe(true);
      expect(set.keys.verify('a purpose', 'other text', signature)).toBe(false);
      await set[Symbol.asyncDispose]();
    });
  });
});

/** Never called: the outbox is not started. */
const receivers = (['sheet', 'mail'] as const).map(
  (name): Receiver => ({
    name,
    destination: 'a test',
    concurrency: 1,
    perSecond: 1,
    isIdempotent: false,
    deliver: () => expect.unreachable('nothing is delivered here'),
  }),
);

/** A database that has no room; PostgreSQL finds out at the commit, and SQLite ends the transaction by itself. */
const noRoom: Record<string, { make: string[]; mend: string[] }> = {
  SQLite: {
    make: [`create trigger full before insert on messages begin select raise(rollback, 'no room'); end`],
    mend: ['drop trigger full'],
  },
  PostgreSQL: {
    make: [
      `create function full_disk() returns trigger as $$ begin
        raise disk_full using message = 'no room'; end $$ language plpgsql`,
      `create constraint trigger full_disk after insert on messages deferrable initially deferred
        for each row execute function full_disk()`,
    ],
    mend: ['drop trigger full_disk on messages', 'drop function full_disk'],
  },
};
