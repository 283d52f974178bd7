import { beforeAll, describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../../tests/harness/databases.ts';
import { json } from '../../../../tests/harness/requests.ts';
import { createSiteFixture } from '../../../../tests/harness/site-fixture.ts';
import { bringToState, type VerbDeps, verbDeps } from '../../../../tests/harness/subscribers.ts';
import { verifyWebhookSignature } from '../../../core/http/webhook-signature.ts';
import { sign } from '../../messages/receivers/webhook-receiver.ts';
import { bouncesPath } from '../contract.ts';
import { createNewsletterFeature } from '../feature.ts';
import { parseBounceReports } from './parse-bounce-reports.ts';

const now = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
const secret = Buffer.alloc(32, 7);
const NEWSLETTER_WEBHOOK_SECRET = `whsec_${secret.toString('base64')}`;
const bounce = (address: string) => ({ type: 'bounce', address });

/** A call as the provider makes it. */
function call(body: unknown, key = secret): Request {
  const text = JSON.stringify(body);
  return json(text, sign([key], 'msg_1', now, text), bouncesPath);
}

describe('a signature', () => {
  const body = '{"type":"bounce"}';
  const good = sign([secret], 'msg_1', now, body);
  const fits = (headers: Record<string, string>, secrets = [secret]) =>
    verifyWebhookSignature(new Headers(headers), body, { secrets, now });

  test('matches the published example', () => {
    const known = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const given = { secrets: [known], now: new Date(1_614_265_330_000) };
    expect(verifyWebhookSignature(new Headers(headers), '{"test": 2432232314}', given)).toBe(true);
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
    ['another id', { ...good, 'webhook-id': 'msg_2' }],
    ['another version', { ...good, 'webhook-signature': good['webhook-signature']?.replace('v1', 'v2') }],
    ['one of another body', sign([secret], 'msg_1', now, `${body} `)],
    ['one of another secret', sign([Buffer.alloc(32, 1)], 'msg_1', now, body)],
    ['one of five minutes ago', sign([secret], 'msg_1', new Date(now.getTime() - 301_000), body)],
  ])('does not fit: %s', (_, headers) => expect(fits(headers as Record<string, string>)).toBe(false));
});

test.each([
  '{',
  'null',
  '{"type":"bounce","address":["a@example.com"]}',
  '[{"type":"bounce","address":"a@example.com"},{}]',
  '{"type":"email.complained","data":{"to":[1]}}',
])('%s is no report', body => expect(parseBounceReports(body)).toBeUndefined());

describe.each(databaseUnderTest)('reports about bounces on $name', ({ create }) => {
  const fixture = createSiteFixture(create, { env: { NEWSLETTER_WEBHOOK_SECRET }, emptied: ['subscribers'] });
  const { fetch, lines, wireSite } = fixture;
  let deps: VerbDeps;
  beforeAll(() => {
    deps = verbDeps(fixture.site);
  });

  const send = async (request: Request) => (await fetch(request)).status;
  const zoe = 'zoe@example.com';
  const stateOf = async (id: string) => {
    const row = await deps.subscribers.get(id);
    return row?.state === 'suppressed' ? row.suppression_reason : row?.state;
  };

  test.each([
    ['bounce', bounce('"Zoë, at work" <Zoe@example.com>')],
    ['complaint', [bounce('nobody@example.com'), { type: 'complaint', address: zoe }]],
    ['bounce', { type: 'email.bounced', data: { to: [zoe], bounce: { type: 'Permanent' } } }],
    ['complaint', { type: 'email.complained', data: { to: zoe } }],
    // Soft bounces and other events change nothing.
    ['confirmed', { type: 'email.bounced', data: { to: [zoe], bounce: { type: 'Transient' } } }],
    ['confirmed', { type: 'email.delivered', data: { to: [zoe] } }],
  ])('leave the named subscriber in the state %s, also when repeated: %j', async (state, report) => {
    const id = await bringToState(deps, zoe, 'confirmed');
    expect([await send(call(report)), await send(call(report))]).toEqual([204, 204]);
    expect(await stateOf(id)).toBe(state);
    expect(await deps.subscribers.count()).toBe(1);
  });

  test('with another signature or none are 401, and change nothing', async () => {
    const id = await bringToState(deps, zoe, 'confirmed');
    expect(await send(call(bounce(zoe), Buffer.alloc(32, 1)))).toBe(401);
    expect(await send(json(bounce(zoe), {}, bouncesPath))).toBe(401);
    expect(await stateOf(id)).toBe('confirmed');
  });

  test('that are not stored are 503, so that the provider retries; the log contains no address', async () => {
    await bringToState(deps, zoe, 'confirmed');
    const inTransaction = () => Promise.reject(new Error('no room'));
    const subscribers = { ...fixture.site.store.subscribers, inTransaction };
    const other = await wireSite({}, { features: [createNewsletterFeature({ subscribers })] });
    expect((await other.app.fetch(call(bounce(zoe)))).status).toBe(503);
    expect(await send(call(bounce(zoe)))).toBe(204);
    expect(lines.join('')).toMatch(/bounce not stored.*no room/);
    expect(lines.join('')).not.toContain('zoe');
  });
});
