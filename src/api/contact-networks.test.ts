import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseUnderTest, type TestDatabase } from '../../tests/harness/databases.ts';
import { json } from '../../tests/harness/requests.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import { type Services, wire } from '../server/wire.ts';
import { rateLimits } from './guards/rate-limit.ts';

const start = Date.UTC(2026, 0, 2, 3, 4, 5);

describe.each(databaseUnderTest)('contact messages of one network on $name', ({ create }) => {
  const { log } = collectLog();
  let database: TestDatabase;
  let site: Services;
  let now = start;

  beforeAll(async () => {
    database = await create();
    const clock = { now: () => new Date(now) };
    site = await wire(testConfig({ ...database.env, RATE_LIMIT: 'on' }), { log, clock, receivers: [] });
  });
  beforeEach(() => {
    // Windows of the test before are over.
    now += 2 * rateLimits.budget.windowMs;
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  async function send(address: string, message = '', more: { key?: string; email?: string } = {}) {
    const headers = more.key ? { 'idempotency-key': more.key } : {};
    const body = { message, email: more.email ?? '' };
    const response = await site.app.fetch(json(body, headers), { address });
    return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
  }

  /** A few at a time, as one process stores them. How many were taken, and how many refused. */
  async function sendMany(count: number, addressOf: (index: number) => string, message = '') {
    const statuses: number[] = [];
    for (let at = 0; at < count; at += 40) {
      const part = Array.from({ length: Math.min(40, count - at) }, (_, index) =>
        send(addressOf(at + index), message),
      );
      statuses.push(...(await Promise.all(part)).map(({ status }) => status));
    }
    return [200, 429].map(wanted => statuses.filter(status => status === wanted).length);
  }

  describe('in number', () => {
    const perClient = rateLimits.perClient.message;

    test.each([
      ['/56', 2, (index: number) => `2001:db8:1:${index}/64`, '2001:db8:1:100/64'],
      ['/48', 4, (index: number) => `2001:db8:1:${index}00/64`, '2001:db8:2:0/64'],
    ])(
      'from one %s are 429 beyond a higher limit, and its neighbour is not affected',
      async (_, share, networkOf, other) => {
        const limit = perClient * share;
        const addressOf = (index: number) => networkOf(index % (share + 1));
        expect(await sendMany(limit + 5, addressOf)).toEqual([limit, 5]);
        expect(await send(addressOf(0))).toEqual({ status: 429, retryAfter: 600 });
        expect((await send(other)).status).toBe(200);
      },
    );

    test('that are rejected from one /64 do not use the budget of its neighbours', async () => {
      expect(await sendMany(5 * perClient, () => '2001:db8:1:1/64')).toEqual([perClient, 4 * perClient]);
      expect((await send('2001:db8:1:2/64')).status).toBe(200);
    });
  });

  describe('in bytes', () => {
    const { bytes: budget, windowMs } = rateLimits.budget;
    const large = 'é'.repeat(30_000);
    const size = Buffer.byteLength(large);
    const limit = Math.floor(budget / size);

    test('are 429 beyond the budget of an hour, also when all come at once', async () => {
      expect(await sendMany(limit + 5, () => '192.0.2.1', large)).toEqual([limit, 5]);
      now += windowMs / 2;
      expect(await send('192.0.2.1', large)).toEqual({ status: 429, retryAfter: windowMs / 2000 });
      // A refused message has used up nothing: what is smaller still fits.
      expect((await send('192.0.2.1', 'small')).status).toBe(200);
      expect((await send('192.0.2.2', large)).status).toBe(200);
      now += windowMs / 2;
      expect((await send('192.0.2.1', large)).status).toBe(200);
    });

    test('from one /48 are 429 beyond a higher budget', async () => {
      const all = Math.floor((4 * budget) / size);
      expect(await sendMany(all + 5, index => `2001:db8:1:${index % 8}00/64`, large)).toEqual([all, 5]);
      expect((await send('2001:db8:2:0/64', large)).status).toBe(200);
    });

    test('count a message once, however often it is sent, and nothing that is not stored', async () => {
      for (let count = 0; count < 20; count += 1) {
        expect((await send('192.0.2.1', large, { key: 'one' })).status).toBe(200);
        expect((await send('192.0.2.1', large, { email: 'no address' })).status).toBe(422);
      }
      expect(await sendMany(limit, () => '192.0.2.1', large)).toEqual([limit - 1, 1]);
    });
  });
});
