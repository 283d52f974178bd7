import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { databaseUnderTest, type TestDatabase } from '../../tests/harness/databases.ts';
import * as requests from '../../tests/harness/requests.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import { bringToState, subscriberStates, verbDeps } from '../../tests/harness/subscribers.ts';
import { type Services, wire } from '../server/wire.ts';
import { newsletterPath, type Problem, stepPaths } from './contract.ts';
import { rateLimits } from './guards/rate-limit.ts';
import { maxNewsletterBytes } from './newsletter.ts';

const start = Date.UTC(2026, 0, 2, 3, 4, 5);
const words = { email: 'zoe@example.com', form: 'home', wording: '' };

const json = (body: unknown, headers = {}) => requests.json(body, headers, newsletterPath);
const form = (fields: Record<string, string> | string, headers = {}) =>
  requests.form(fields, headers, newsletterPath);

describe.each(databaseUnderTest)('signing up for the newsletter on $name', ({ create }) => {
  const { log, lines } = collectLog();
  const clock = { now: () => new Date(start) };
  let database: TestDatabase;
  let site: Services;

  beforeAll(async () => {
    database = await create();
    site = await wire(testConfig(database.env), { log, clock });
  });
  beforeEach(async () => {
    lines.length = 0;
    for (const table of ['deliveries', 'sign_ups', 'subscribers'])
      await database.query(`delete from ${table}`);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  const stored = () =>
    database.query('select subscriber, address, form, consent_text, requested_at from sign_ups');

  /** Sends, checks that nothing was stored, and hands over the problem. */
  async function refused(request: Request, { app }: Pick<Services, 'app'> = site): Promise<Problem> {
    const response = await app.fetch(request, { address: '192.0.2.1' });
    const problem = (await response.json()) as Problem;
    expect([response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      'application/problem+json',
      'no-store',
    ]);
    expect(problem.status).toBe(response.status);
    expect(await stored()).toEqual([]);
    return problem;
  }

  test('stores the address, the form and the consent text, and says to check the inbox', async () => {
    const response = await site.app.fetch(json({ ...words, email: ' Zoe@Example.com', extra: 1 }));
    expect([response.status, await response.text()]).toEqual([
      200,
      '{"message":"Check your inbox to confirm"}',
    ]);
    const [row] = await stored();
    expect(row).toEqual({
      subscriber: site.newsletter.pseudonyms.subscriberPseudonym('zoe@example.com'),
      address: 'Zoe@example.com',
      form: 'home',
      consent_text: expect.stringMatching(/^[0-9a-f]{16}$/),
      requested_at: new Date(start).toISOString(),
    });
    expect(await site.store.consentTexts.get(row?.consent_text as string)).toMatchObject({
      text: expect.stringContaining(' '),
    });
  });

  test.each([
    ['home', 'home'],
    ['footer', 'footer'],
    ['newsletter', 'newsletter'],
    ['', 'newsletter'],
    ['https://evil.example', 'newsletter'],
    ['constructor', 'newsletter'],
  ])('from the form %j counts as from %s, and leads without JavaScript to one page', async (name, kept) => {
    const response = await site.app.fetch(form({ ...words, form: name }));
    expect([response.status, response.headers.get('location')]).toEqual([303, stepPaths.asked]);
    expect(await stored()).toMatchObject([{ address: words.email, form: kept }]);
  });

  test('has the same response for an address in any state', async () => {
    const deps = verbDeps(site);
    for (const standing of subscriberStates) await bringToState(deps, `${standing}@example.com`, standing);
    const answers = new Set<string>();
    for (const standing of subscriberStates) {
      for (const make of [json, form]) {
        const response = await site.app.fetch(make({ ...words, email: `${standing}@example.com` }));
        const headers = [...response.headers].filter(([name]) => name !== 'x-request-id');
        answers.add(JSON.stringify([make === form, response.status, headers, await response.text()]));
      }
    }
    expect(answers.size).toBe(2);
    expect(await stored()).toHaveLength(2 * subscriberStates.length);
  });

  test('is 422 with the field for an invalid address', async () => {
    const impossible = [
      '',
      'zoe',
      'zoe@example',
      'zoe@example.com, v@example.org',
      'zoe@example.com\r\nBcc: v@example.org',
    ];
    for (const email of impossible) {
      expect(await refused(json({ ...words, email }))).toMatchObject({
        status: 422,
        field: 'email',
        reason: 'is not an address that mail can be sent to',
      });
      const response = await site.app.fetch(form({ ...words, email }));
      expect([response.status, response.headers.get('location')]).toEqual([303, stepPaths.refused]);
    }
    expect(await stored()).toEqual([]);
  });

  test('is 400 for a body that cannot be parsed', async () => {
    for (const body of ['', '{', 'null', '[]', '{"email":1}', '{"email":"a@example.com","form":[]}']) {
      expect(await refused(json(body))).toMatchObject({ status: 400 });
    }
  });

  test('is rejected by the guards', async () => {
    const large = { ...words, wording: 'x'.repeat(maxNewsletterBytes) };
    const tried: [number, Request][] = [
      [403, json(words, { 'sec-fetch-site': 'cross-site' })],
      [403, form(words, { origin: 'https://evil.example' })],
      [413, json(large)],
      [415, json(words, { 'content-type': 'text/plain' })],
      [415, json(words, { 'content-encoding': 'gzip' })],
    ];
    for (const [status, request] of tried) expect(await refused(request)).toMatchObject({ status });
    expect((await site.app.fetch(form(large))).headers.get('location')).toBe(stepPaths.refused);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const response = await site.app.fetch(new Request(requests.origin + newsletterPath, { method }));
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('too often from one client is 429; messages are counted separately', async () => {
    const limited = await wire(testConfig({ ...database.env, RATE_LIMIT: 'on' }), { log, clock });
    const send = (request: Request) => limited.app.fetch(request, { address: '192.0.2.1' });
    for (let count = 0; count < rateLimits.perClient.newsletter; count += 1)
      await send(json({ email: 'nobody' }));
    const response = await send(json(words));
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '600']);
    expect((await send(form(words))).headers.get('location')).toBe(stepPaths.refused);
    expect(await stored()).toEqual([]);
    expect((await send(requests.json({}))).status).toBe(200);
    await limited[Symbol.asyncDispose]();
  });

  test('while the store fails is 503, makes the process not ready, and logs no address', async () => {
    const failing = [() => Promise.reject(new Error('no room')), () => new Promise<never>(() => undefined)];
    for (const add of failing) {
      const signUps = { ...site.store.signUps, add };
      const store = { ...site.store, signUps };
      // What it has written before need not be written under a clock that runs ahead.
      await site.newsletter.pseudonyms.resolveConsentText('home', '');
      const { newsletter } = site;
      const other = await wire(testConfig(database.env), { log, clock, store, newsletter });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const sending = [other.app.fetch(json(words)), other.app.fetch(form(words))];
      await vi.advanceTimersByTimeAsync(8000);
      const [first, second] = await Promise.all(sending);
      vi.useRealTimers();
      expect([first?.status, first?.headers.get('retry-after')]).toEqual([503, '5']);
      expect(second?.headers.get('location')).toBe(stepPaths.refused);
      expect((await other.app.fetch(new Request(`${requests.origin}/readyz`))).status).toBe(503);
    }
    expect(lines.join('')).toMatch(/sign-up not stored.*no room/);
    expect(lines.join('')).not.toContain('zoe');
  });

  test('with any body is accepted, malformed or rejected, and stores at most one plain address', async () => {
    const part = fc.string({ unit: fc.constantFrom(...'aé.-,;<>"\r\n\0@'), maxLength: 5 });
    const address = fc.tuple(part, part).map(([local, domain]) => `z${local}@e${domain}.example`);
    const any = fc.array(fc.nat(0xffff), { maxLength: 20 }).map(codes => String.fromCharCode(...codes));
    const field = fc.oneof(any, address, fc.constant(1));
    const body = fc.record({ email: field, form: field, wording: field }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(body, async value => {
        expect([200, 400, 422]).toContain((await site.app.fetch(json(value))).status);
      }),
      { numRuns: 100 },
    );
    for (const { address } of await stored()) expect(address).toMatch(/^[\x21-\x7e]+@[a-z0-9.-]+$/);
    expect(lines.join('')).not.toContain('"level":"error"');
  });
});
