import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUnderTest, type TestDatabase } from '../../tests/harness/databases.ts';
import { form, json, origin } from '../../tests/harness/requests.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import { bringToState, makeToken, type VerbDeps, verbDeps } from '../../tests/harness/subscribers.ts';
import { randomIds } from '../lib/ids.ts';
import { type Services, wire } from '../server/wire.ts';
import { stepPaths } from './contract.ts';
import { maxStepBytes } from './newsletter-steps.ts';

const day = 24 * 3_600_000;

describe.each(databaseUnderTest)('the newsletter steps on $name', ({ create }) => {
  const { log, lines } = collectLog();
  let now = Date.UTC(2026, 0, 2);
  let database: TestDatabase;
  let site: Services;
  let deps: VerbDeps;

  beforeAll(async () => {
    database = await create();
    site = await wire(testConfig(database.env), { log, clock: { now: () => new Date(now) } });
    deps = verbDeps(site);
  });
  beforeEach(async () => {
    lines.length = 0;
    for (const table of ['deliveries', 'tokens', 'subscribers']) await database.query(`delete from ${table}`);
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  const stateOf = async (id: string) => (await deps.subscribers.get(id))?.state;

  /** As the page's own button posts it: no field, no script. */
  async function press(
    path: string,
    query: string,
    { app }: Pick<Services, 'app'> = site,
  ): Promise<string | null> {
    const response = await app.fetch(form('', { origin }, `${path}?${query}`));
    expect([response.status, await response.text()]).toEqual([303, '']);
    return response.headers.get('location');
  }

  const leaveQuery = (id: string, key = deps.newsletter.unsubscribeKey(id)) =>
    String(new URLSearchParams({ id, key }));

  /** As a mail client posts it: without origin and cookies. */
  const oneClick = (query: string, { app }: Pick<Services, 'app'> = site) =>
    app.fetch(form('List-Unsubscribe=One-Click', {}, `${stepPaths.leave}?${query}`));

  describe('confirming', () => {
    test('works by the button; a used, expired, unknown or missing token gets the same page', async () => {
      const id = await bringToState(deps, 'zoe@example.com', 'pending');
      const [token, late] = [await makeToken(deps, id), await makeToken(deps, id)];
      now += 7 * day;
      expect(await press(stepPaths.confirm, `token=${late}`)).toBe(stepPaths.expired);
      now -= day;
      for (const query of [
        '',
        'token=',
        `token=${randomIds.token()}`,
        `token=${token}&token=${token}`,
        '%',
        'token=%00',
      ]) {
        expect(await press(stepPaths.confirm, query)).toBe(stepPaths.expired);
      }
      expect(await stateOf(id)).toBe('pending');
      expect(await press(stepPaths.confirm, `token=${token}`)).toBe(stepPaths.confirmed);
      expect(await stateOf(id)).toBe('confirmed');
      expect(await press(stepPaths.confirm, `token=${token}`)).toBe(stepPaths.expired);
    });

    test('does not happen by opening the link', async () => {
      const id = await bringToState(deps, 'zoe@example.com', 'pending');
      const token = await makeToken(deps, id);
      for (const method of ['GET', 'HEAD']) {
        const address = `${origin}${stepPaths.confirm}?token=${token}`;
        expect((await site.app.fetch(new Request(address, { method }))).status).toBe(404);
      }
      expect(await stateOf(id)).toBe('pending');
    });
  });

  describe('unsubscribing', () => {
    test('works by the button with a valid link, repeatedly', async () => {
      const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
      const { unsubscribeKey } = deps.newsletter;
      for (const query of [
        '',
        leaveQuery(id, ''),
        leaveQuery(id, unsubscribeKey('other')),
        `${leaveQuery(id)}&id=${id}`,
        `id=${id}`,
      ]) {
        expect(await press(stepPaths.leave, query)).toBe(stepPaths['not-left']);
      }
      expect(await stateOf(id)).toBe('confirmed');
      expect(await press(stepPaths.leave, leaveQuery(id))).toBe(stepPaths.left);
      expect(await stateOf(id)).toBe('unsubscribed');
      expect(await press(stepPaths.leave, leaveQuery(id))).toBe(stepPaths.left);
    });

    const multipart = (...headers: string[]) =>
      [
        '--x',
        'Content-Disposition: form-data; name="List-Unsubscribe"',
        ...headers,
        '',
        'One-Click',
        '--x--',
        '',
      ].join('\r\n');
    test.each<[string, string, Record<string, string>]>([
      ['a form', 'List-Unsubscribe=One-Click', {}],
      [
        'a form from another site',
        'List-Unsubscribe=One-Click',
        { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
      ],
      ['a form in parts', multipart(), { 'content-type': 'multipart/form-data; boundary=x' }],
      [
        'parts with types',
        multipart('Content-Type: text/plain'),
        { 'content-type': 'multipart/form-data; boundary=x' },
      ],
    ])("is one click of the mail program's: %s", async (_, body, headers) => {
      const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
      for (const _again of [1, 2]) {
        const response = await site.app.fetch(form(body, headers, `${stepPaths.leave}?${leaveQuery(id)}`));
        expect([
          response.status,
          response.headers.get('location'),
          response.headers.get('set-cookie'),
        ]).toEqual([200, null, null]);
        expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
      }
      expect(await stateOf(id)).toBe('unsubscribed');
    });

    test('by one click with an invalid link is 404, and changes nothing', async () => {
      const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
      expect((await oneClick(leaveQuery(id, 'x'))).status).toBe(404);
      expect(await stateOf(id)).toBe('confirmed');
    });

    test('does not happen by opening the link', async () => {
      const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
      const address = `${origin}${stepPaths.leave}?${leaveQuery(id)}`;
      expect((await site.app.fetch(new Request(address))).status).toBe(404);
      expect(await stateOf(id)).toBe('confirmed');
    });
  });

  test('bodies over the limit are 413', async () => {
    for (const path of [stepPaths.confirm, stepPaths.leave]) {
      expect((await site.app.fetch(json('x'.repeat(maxStepBytes + 1), {}, path))).status).toBe(413);
    }
  });

  test('while the store fails a button gets an error page, and one click gets 503', async () => {
    const fail = () => Promise.reject(new Error('no room'));
    const subscribers = { ...site.store.subscribers, inTransaction: fail };
    const other = await wire(testConfig(database.env), { log, store: { ...site.store, subscribers } });
    const query = leaveQuery('someone');
    expect(await press(stepPaths.confirm, `token=${randomIds.token()}`, other)).toBe(stepPaths.later);
    expect(await press(stepPaths.leave, query, other)).toBe(stepPaths.later);
    const response = await oneClick(query, other);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await other.app.fetch(new Request(`${origin}/readyz`))).status).toBe(503);
    expect(lines.join('')).toMatch(/unsubscription not stored.*no room/);
  });

  test('no token, id or key is logged', async () => {
    const fail = vi.fn(() => Promise.reject(new Error('no room')));
    const subscribers = { ...site.store.subscribers, inTransaction: fail };
    const other = await wire(testConfig(database.env), { log, store: { ...site.store, subscribers } });
    const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
    const token = randomIds.token();
    lines.length = 0;
    for (const one of [site, other]) {
      await press(stepPaths.confirm, `token=${token}`, one);
      await press(stepPaths.leave, leaveQuery(id), one);
      await oneClick(leaveQuery(id), one);
    }
    const logged = lines.join('');
    expect(logged).toContain(stepPaths.leave);
    for (const secret of [token, id, deps.newsletter.unsubscribeKey(id)])
      expect(logged).not.toContain(secret);
  });
});
