import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUnderTest } from '../../../../tests/harness/databases.ts';
import { form, json, origin } from '../../../../tests/harness/requests.ts';
import type { WiredSite } from '../../../../tests/harness/site.ts';
import { createSiteFixture } from '../../../../tests/harness/site-fixture.ts';
import { stubReceiver } from '../../../../tests/harness/stub-receiver.ts';
import { createSiteApp } from '../../../apps/server/app.ts';
import { createFloodCheck } from '../../../core/http/flood-check.ts';
import { createRateLimit } from '../../../core/http/rate-limits.ts';
import { BusyError } from '../../../lib/busy-error.ts';
import { limits } from '../../../lib/limits.ts';
import type { Problem } from '../../../lib/problem.ts';
import { createMessagesFeature, messages } from '../feature.ts';
import type { NewMessage } from '../messages.ts';
import { messageLimits } from './limits.ts';
import { createRepeatCounter } from './repeated-messages.ts';

const words = { name: 'Zoë', email: 'zoe@example.com', message: 'one\ntwo', service: '' };

/** Never called: the outbox is not started. */
const receivers = [stubReceiver('sheet'), stubReceiver('mail')];

describe.each(databaseUnderTest)('a contact message on $name', ({ create }) => {
  const fixture = createSiteFixture(create, {
    overrides: { features: [createMessagesFeature({ receivers })] },
    emptied: ['messages', 'deliveries', 'rate_counts'],
  });
  const { lines, log, query, wireSite } = fixture;
  afterEach(() => void vi.useRealTimers());

  const stored = () => query('select * from messages');
  const deliveries = () => query('select receiver from deliveries order by receiver');

  /** The status, and the reference of the message, or what the problem says. */
  async function send(
    request: Request,
    { app }: Pick<WiredSite, 'app'> = fixture.site,
    address = '192.0.2.1',
  ) {
    const response = await app.fetch(request, { ip: address });
    const retryAfter = Number(response.headers.get('retry-after'));
    const location = response.headers.get('location');
    const body = location ? {} : ((await response.json()) as Partial<Problem> & { reference?: string });
    return { status: response.status, location, retryAfter, ...body };
  }

  describe('with an idempotency key', () => {
    const keyed = (key: string, fields: unknown = words) => json(fields, { 'idempotency-key': key });

    test('is stored once under one reference, also when sent 20 times at once and again later', async () => {
      const sent = await Promise.all(Array.from({ length: 20 }, () => send(keyed('same'))));
      fixture.now += 3_600_000;
      sent.push(await send(keyed('same')), await send(keyed('"same"')));
      expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
      const references = [...new Set(sent.map(({ reference }) => reference))];
      expect(await stored()).toMatchObject([{ reference: references[0] }]);
      expect(references).toHaveLength(1);
      expect(await deliveries()).toEqual([{ receiver: 'mail' }, { receiver: 'sheet' }]);
    });

    test('that contains an address is stored only as a keyed hash, the same in every process and after a change of SECRET', async () => {
      const key = 'ann@example.org';
      const { reference } = await send(keyed(key));
      expect(await stored()).toMatchObject([
        { idempotency_key: fixture.site.started.get(messages).hashKey(key) },
      ]);
      expect(JSON.stringify(await stored())).not.toContain(key);
      await using rotated = await wireSite({ SECRET: 'another secret of thirty-two letters' });
      expect(await send(keyed(key), rotated)).toMatchObject({ status: 200, reference });
      const secrets = { getOrCreate: async () => 'another', get: async () => undefined };
      const foreign = await wireSite({}, { store: { ...fixture.site.store, secrets } });
      expect(foreign.started.get(messages).hashKey(key)).not.toBe(
        fixture.site.started.get(messages).hashKey(key),
      );
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

    test('that is none is 400', async () => {
      for (const key of ['', 'two words', 'x'.repeat(201), 'schlüssel', '""'])
        expect(await send(keyed(key)), key).toMatchObject({ status: 400 });
      expect(await stored()).toEqual([]);
    });
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
      expect(await deliveries()).toHaveLength(2);
    });

    test('may be as long as any other, although the form contains an unsent copy', async () => {
      // Nine bytes a character, once in the form and once in its copy.
      const message = '界'.repeat(6000);
      const long = { ...words, message };
      const waiting = { ...posted, message, unsent: unsent(long) };
      expect(new URLSearchParams(waiting).toString().length).toBeGreaterThan(limits.maxBodyBytes);
      expect(await send(form(waiting))).toMatchObject(sentWaiting);
      expect(await stored()).toMatchObject([
        { message, idempotency_key: fixture.site.started.get(messages).hashKey('of-the-tab') },
      ]);
      const longer = { ...posted, message: '界'.repeat(22_000) };
      expect(await send(form(longer))).toMatchObject({ status: 303, location: '/creator#refused' });
    });

    test.each([
      ['another message', unsent({ ...words, message: 'other' }, 'key')],
      ['an unreadable key', unsent(words, 'two words')],
      ['a prototype', `{"__proto__":${unsent(words, 'key')}}`],
      ['no JSON', '['.repeat(10_000)],
    ])('takes no key from an unsent message that differs: %s', async (_, text) => {
      expect(await send(form({ ...posted, unsent: text }))).toMatchObject(sentWaiting);
      expect(await stored()).toHaveLength(1);
      // The key that it would have had is free.
      expect(await send(json({ ...words, message: 'other' }, { 'idempotency-key': 'key' }))).toMatchObject({
        status: 200,
      });
    });

    test('submitted twice is one message; with other words, or later, another', async () => {
      await Promise.all([send(form(posted)), send(form(posted))]);
      expect(await stored()).toHaveLength(1);
      expect(await deliveries()).toHaveLength(2);
      await send(form({ ...posted, message: 'three' }));
      expect(await stored()).toHaveLength(2);
      fixture.now += 10 * 60_000;
      expect(await send(form(posted))).toMatchObject(sent);
      expect(await stored()).toHaveLength(3);
    });
  });

  test('that is empty is stored, and goes to no receiver', async () => {
    await send(json({ message: ' \n' }));
    expect(await stored()).toHaveLength(1);
    expect(await deliveries()).toEqual([]);
  });

  describe('too many', () => {
    let limited: WiredSite;
    beforeEach(async () => {
      limited = await wireSite({ RATE_LIMIT: 'on' });
    });
    afterEach(() => limited[Symbol.asyncDispose]());

    /** A few at a time, as one process stores them. How many were stored, and how many refused. */
    async function sendMany(count: number, addressOf: (index: number) => string, message = '') {
      const statuses: number[] = [];
      for (let at = 0; at < count; at += 40) {
        const part = Array.from({ length: Math.min(40, count - at) }, (_, index) =>
          send(json({ message }), limited, addressOf(at + index)),
        );
        statuses.push(...(await Promise.all(part)).map(({ status }) => status));
      }
      return [200, 429].map(wanted => statuses.filter(status => status === wanted).length);
    }
    const limit = messageLimits.message.max;

    test('from one address are 429 with Retry-After; other addresses are not affected', async () => {
      expect(await sendMany(limit + 5, () => '192.0.2.1')).toEqual([limit, 5]);
      fixture.now += 60_000;
      expect(await send(json({}), limited)).toMatchObject({ status: 429, retryAfter: 540 });
      expect(await send(form(words), limited)).toMatchObject({ status: 303, location: '/contact#refused' });
      expect(await stored()).toHaveLength(limit);
      expect((await send(json({}), limited, '192.0.2.2')).status).toBe(200);
      fixture.now += 540_000;
      expect((await send(json({}), limited)).status).toBe(200);
    });

    test.each([
      ['fails', () => Promise.reject(new Error('no count today'))],
      ['hangs', () => new Promise<never>(() => undefined)],
    ])('are neither limited nor suspected while counting %s', async (_, count) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { clock, hmac, appDeps, started } = limited;
      const counting = { counts: { add: count, read: count }, messages: { countStored: count } };
      const deps = { ...counting, clock, hmac, log };
      const [rateLimit, repeats] = [createRateLimit(deps), createRepeatCounter(deps)];
      const parts = { rateLimit, repeats, isFlood: createFloodCheck(deps) };
      const app = createSiteApp(appDeps, started.with(messages, parts));
      const message = 'What does a test of our two websites cost? '.repeat(3);
      const sending = send(json({ message }), { app });
      // Less than the 8 s after which storing is given up.
      for (let counted = 0; counted < 5; counted += 1) await vi.advanceTimersByTimeAsync(1500);
      expect((await sending).status).toBe(200);
      expect(await stored()).toMatchObject([{ state: 'new' }]);
      for (const what of ['rate limit', 'repeat', 'flood'])
        expect(lines.join('')).toContain(`${what} count failed`);
    });

    test('from one IPv6 network are 429 beyond a higher limit; its neighbour is not affected', async () => {
      const addressOf = (index: number) => `2001:db8:1:${index % 3}/64`;
      expect(await sendMany(limit * 2 + 5, addressOf)).toEqual([limit * 2, 5]);
      expect(await send(json({}), limited, addressOf(0))).toMatchObject({ status: 429, retryAfter: 600 });
      expect((await send(json({}), limited, '2001:db8:1:100/64')).status).toBe(200);
    });

    describe('bytes', () => {
      const { max: budget, windowMs } = messageLimits.bytes;
      const message = 'é'.repeat(30_000);
      const maxMessages = Math.floor(budget / Buffer.byteLength(message));

      test('are 429 beyond the budget of an hour, also when all come at once', async () => {
        const sent = await sendMany(maxMessages + 5, () => '192.0.2.1', message);
        expect(sent).toEqual([maxMessages, 5]);
        fixture.now += windowMs / 2;
        const refused = { status: 429, retryAfter: windowMs / 2000 };
        expect(await send(json({ message }), limited)).toMatchObject(refused);
        // A refused message has used up nothing: what is smaller still fits.
        expect((await send(json({ message: 'small' }), limited)).status).toBe(200);
        expect((await send(json({ message }), limited, '192.0.2.2')).status).toBe(200);
        fixture.now += windowMs / 2;
        expect((await send(json({ message }), limited)).status).toBe(200);
      });

      test('of a message count once, however often it is sent, and not if it is not stored', async () => {
        for (let count = 0; count < 20; count += 1) {
          const again = json({ message }, { 'idempotency-key': 'one' });
          expect((await send(again, limited)).status).toBe(200);
          expect((await send(json({ message, email: 'nobody' }), limited)).status).toBe(422);
        }
        const sent = await sendMany(maxMessages, () => '192.0.2.1', message);
        expect(sent).toEqual([maxMessages - 1, 1]);
      });
    });
  });

  describe('that cannot be stored', () => {
    const wireFailing = (parts: Partial<WiredSite['store']['messages']>) => {
      return wireSite({}, { features: [createMessagesFeature({ receivers, messages: parts })] });
    };

    test('is 503, and the process is not ready until a write succeeds', async () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      let isFull = true;
      const add = (message: NewMessage) =>
        isFull ? Promise.reject(new Error('no room')) : fixture.site.store.messages.add(message);
      const site = await wireFailing({ add });
      const ready = async () => (await site.app.fetch(new Request(`${origin}/readyz`))).status;
      expect(await ready()).toBe(200);
      expect(await send(json(words), site)).toMatchObject({ status: 503, retryAfter: 5 });
      expect(await send(form(words), site)).toMatchObject({ status: 303, location: '/contact#refused' });
      expect(await ready()).toBe(503);
      const reason = fixture.events().find(({ event }) => event === 'message not stored');
      expect(reason).toMatchObject({ level: 'error', error: 'no room' });

      isFull = false;
      expect((await send(json(words), site)).status).toBe(200);
      vi.advanceTimersByTime(1001);
      expect(await ready()).toBe(200);
    });

    test.each([
      ['the queue is full', { hasCapacity: () => false }],
      ['it waited too long', { add: () => Promise.reject(new BusyError('many wait already')) }],
    ])('because %s is 503 at once, is logged once, and leaves the process ready', async (_, parts) => {
      const crowded = await wireFailing(parts);
      lines.length = 0;
      for (const request of [json(words), json(words)])
        expect(await send(request, crowded)).toMatchObject({ status: 503, retryAfter: 5 });
      expect((await crowded.app.fetch(new Request(`${origin}/readyz`))).status).toBe(200);
      const logged = fixture.events().filter(({ level }) => ['warn', 'error'].includes(level));
      expect(logged).toMatchObject([{ level: 'warn', event: 'overloaded', count: 1 }]);
      expect(await stored()).toEqual([]);
    });

    test('because the store hangs is 503 after the timeout', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const hanging = await wireFailing({ add: () => new Promise<never>(() => undefined) });
      const sending = send(json(words), hanging);
      await vi.advanceTimersByTimeAsync(8000);
      expect((await sending).status).toBe(503);
      expect(lines.join('')).toContain('no answer within 8000 ms');
    });
  });

  test('the secret is created once by two concurrent processes, and still accepted after SECRET is set', async () => {
    await query('delete from secrets');
    const [one, other] = await Promise.all([wireSite(), wireSite()]);
    const signature = one.hmac.sign('a purpose', 'text');
    expect(other.hmac.sign('a purpose', 'text')).toBe(signature);
    const later = await wireSite({ SECRET: 'a secret of the settings, long enough' });
    expect(later.hmac.sign('a purpose', 'text')).not.toBe(signature);
    expect(later.hmac.verify('a purpose', 'text', signature)).toBe(true);
    for (const site of [one, other, later]) await site[Symbol.asyncDispose]();
  });
});
