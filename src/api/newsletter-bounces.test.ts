import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseUnderTest, type TestDatabase } from '../../tests/harness/databases.ts';
import { json, origin } from '../../tests/harness/requests.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import { bringToState, type VerbDeps, verbDeps } from '../../tests/harness/subscribers.ts';
import { sign } from '../deliveries/webhook/standard-webhook.ts';
import { type Services, wire } from '../server/wire.ts';
import { bouncesPath } from './contract.ts';
import { isSignedWebhook } from './guards/webhook-signature.ts';
import { parseBounceReports } from './parse-bounce-reports.ts';

const now = new Date(Date.UTC(2026, 0, 2));
const secret = Buffer.alloc(32, 7);
const NEWSLETTER_WEBHOOK_SECRET = `whsec_${secret.toString('base64')}`;
const bounce = (address: string) => ({ type: 'bounce', address });

/** A call as the provider makes it. */
function call(body: unknown, { key = secret, at = now } = {}): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return json(text, sign([key], 'msg_1', at, text), bouncesPath);
}

describe('a signature', () => {
  const body = '{"type":"bounce"}';
  const good = sign([secret], 'msg_1', now, body);
  const fits = (headers: Record<string, string>, secrets = [secret]) =>
    isSignedWebhook(new Headers(headers), body, { secrets, now });

  test('matches the published example', () => {
    const known = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const given = { secrets: [known], now: new Date(1_614_265_330_000) };
    expect(isSignedWebhook(new Headers(headers), '{"test": 2432232314}', given)).toBe(true);
  });

  test('is accepted under either header name, among several, and with either of two secrets', () => {
    const svix = Object.fromEntries(
      Object.entries(good).map(([name, value]) => [name.replace('webhook', 'svix'), value]),
    );
    expect(fits(svix)).toBe(true);
    expect(fits({ ...good, 'webhook-signature': `v1a,x v1,AAAA ${good['webhook-signature']}` })).toBe(true);
    expect(fits(good, [Buffer.alloc(32, 1), secret])).toBe(true);
  });

  test.each([
    ['none', {}],
    ['no signature', { ...good, 'webhook-signature': '' }],
    ['no id', { ...good, 'webhook-id': '' }],
    ['another id', { ...good, 'webhook-id': 'msg_2' }],
    ['another time', { ...good, 'webhook-timestamp': String(now.getTime() / 1000 + 1) }],
    ['no time', { ...good, 'webhook-timestamp': 'now' }],
    ['no version', { ...good, 'webhook-signature': good['webhook-signature']?.slice(3) }],
    ['another version', { ...good, 'webhook-signature': good['webhook-signature']?.replace('v1', 'v2') }],
    ['a shorter one', { ...good, 'webhook-signature': good['webhook-signature']?.slice(0, -8) }],
    ['one of another body', sign([secret], 'msg_1', now, `${body} `)],
    ['one of another secret', sign([Buffer.alloc(32, 1)], 'msg_1', now, body)],
    ['one of five minutes ago', sign([secret], 'msg_1', new Date(now.getTime() - 301_000), body)],
    ['one of in five minutes', sign([secret], 'msg_1', new Date(now.getTime() + 301_000), body)],
    [
      'one of the body alone',
      { ...good, 'webhook-signature': `v1,${createHmac('sha256', secret).update(body).digest('base64')}` },
    ],
  ])('does not fit: %s', (_, headers) => expect(fits(headers as Record<string, string>)).toBe(false));
});

test.each([
  '',
  '{',
  'null',
  '1',
  '{}',
  '{"type":1}',
  '{"type":"bounce"}',
  '{"type":"bounce","address":["a@example.com"]}',
  '[{"type":"bounce","address":"a@example.com"},{}]',
  '{"type":"email.bounced"}',
  '{"type":"email.bounced","data":{}}',
  '{"type":"email.bounced","data":{"to":[]}}',
  '{"type":"email.complained","data":{"to":[1]}}',
])('%s is no report', body => expect(parseBounceReports(body)).toBeUndefined());

describe.each(databaseUnderTest)('reports about bounces on $name', ({ create }) => {
  const { log, lines } = collectLog();
  const clock = { now: () => now };
  let database: TestDatabase;
  let site: Services;
  let deps: VerbDeps;

  beforeAll(async () => {
    database = await create();
    site = await wire(testConfig({ ...database.env, NEWSLETTER_WEBHOOK_SECRET }), { log, clock });
    deps = verbDeps(site);
  });
  beforeEach(async () => {
    lines.length = 0;
    await database.query('delete from subscribers');
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  const send = async (request: Request) => (await site.app.fetch(request)).status;
  const why = async (id: string) => {
    const row = await deps.subscribers.get(id);
    return row?.state === 'suppressed' ? row.suppression_reason : row?.state;
  };
  const event = (type: string, data: unknown) => ({
    type,
    created_at: now,
    data: { email_id: '1', ...(data as object) },
  });

  test('suppress the named addresses, also when repeated', async () => {
    const [zoe, max, ann] = [
      await bringToState(deps, 'zoe@example.com', 'confirmed'),
      await bringToState(deps, 'max@example.com', 'confirmed'),
      await bringToState(deps, 'ann@example.com', 'confirmed'),
    ];
    for (const _again of [1, 2]) {
      expect(await send(call(bounce('"Zoë, at work" <Zoe@example.com>')))).toBe(204);
      expect(
        await send(call([{ type: 'complaint', address: 'max@example.com' }, bounce('nobody@example.com')])),
      ).toBe(204);
    }
    expect([await why(zoe), await why(max), await why(ann)]).toEqual(['bounce', 'complaint', 'confirmed']);
    expect(await deps.subscribers.count()).toBe(3);
  });

  test('are parsed in the formats of many providers; soft bounces change nothing', async () => {
    const zoe = await bringToState(deps, 'zoe@example.com', 'confirmed');
    const to = ['zoe@example.com'];
    for (const nothing of [
      event('email.bounced', { to, bounce: { type: 'Transient' } }),
      event('email.bounced', { to, bounce: { type: 'Undetermined' } }),
      event('email.delivered', { to }),
      event('contact.created', { email: 'zoe@example.com' }),
      { type: 'ping' },
    ]) {
      expect(await send(call(nothing))).toBe(204);
    }
    expect(await why(zoe)).toBe('confirmed');
    expect(
      await send(call(event('email.bounced', { to, bounce: { type: 'Permanent', subType: 'General' } }))),
    ).toBe(204);
    expect(await why(zoe)).toBe('bounce');
    expect(await send(call(event('email.complained', { to: to[0] })))).toBe(204);
    expect(await why(zoe)).toBe('complaint');
  });

  test('that cannot be read are 400', async () => {
    expect(await send(call('{"type":"bounce"}'))).toBe(400);
  });

  test('without a valid signature are 401, and change nothing', async () => {
    const zoe = await bringToState(deps, 'zoe@example.com', 'confirmed');
    expect(await send(json(bounce('zoe@example.com'), {}, bouncesPath))).toBe(401);
    expect(await send(call(bounce('zoe@example.com'), { key: Buffer.alloc(32, 1) }))).toBe(401);
    expect(await send(call(bounce('zoe@example.com'), { at: new Date(now.getTime() - 3_600_000) }))).toBe(
      401,
    );
    expect(await why(zoe)).toBe('confirmed');
  });

  test('are 413 if too large, 405 by another method, and 404 without a secret', async () => {
    expect(await send(call(' '.repeat(256 * 1024 + 1)))).toBe(413);
    expect(await send(new Request(origin + bouncesPath))).toBe(405);
    const without = await wire(testConfig(database.env), { log });
    for (const request of [call(bounce('zoe@example.com')), new Request(origin + bouncesPath)]) {
      expect((await without.app.fetch(request)).status).toBe(404);
    }
    await without[Symbol.asyncDispose]();
  });

  test('that are not stored are 503, so that the provider retries; the log contains no address', async () => {
    await bringToState(deps, 'zoe@example.com', 'confirmed');
    const subscribers = {
      ...site.store.subscribers,
      inTransaction: () => Promise.reject(new Error('no room')),
    };
    const store = { ...site.store, subscribers };
    const other = await wire(testConfig({ ...database.env, NEWSLETTER_WEBHOOK_SECRET }), {
      log,
      clock,
      store,
    });
    expect((await other.app.fetch(call(bounce('zoe@example.com')))).status).toBe(503);
    expect(await send(call(bounce('zoe@example.com')))).toBe(204);
    expect(lines.join('')).toMatch(/bounce not stored.*no room/);
    expect(lines.join('')).not.toContain('zoe');
  });
});
