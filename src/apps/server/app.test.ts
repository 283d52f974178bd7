import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../tests/harness/databases.ts';
import { form, json, origin } from '../../../tests/harness/requests.ts';
import { collectLog } from '../../../tests/harness/site.ts';
import { createSiteFixture } from '../../../tests/harness/site-fixture.ts';
import { auditApiPath, auditPaths } from '../../features/audit/contract.ts';
import { contactPath } from '../../features/messages/contract.ts';
import { maxNewsletterBytes } from '../../features/newsletter/api/newsletter-sign-up.ts';
import { bouncesPath, newsletterPaths, signUpPath } from '../../features/newsletter/contract.ts';
import { limits } from '../../lib/limits.ts';
import type { Problem } from '../../lib/problem.ts';

const words = {
  name: 'Zoë 👩🏽‍💻',
  email: ' zoe@example.com ',
  message: 'one\r\n\ttwo\u202e; --',
  service: 'malware',
};
const signUp = (body: unknown) => json(body, {}, signUpPath);
const get = (path: string, method = 'GET') => new Request(origin + path, { method });
const large = 'x'.repeat(limits.maxBodyBytes - '{"message":""}'.length);
const emailOf = (length: number) => `${'x'.repeat(length - 12)}@example.com`;

describe.each(databaseUnderTest)('the API on $name', ({ create }) => {
  const fixture = createSiteFixture(create, { emptied: ['messages', 'sign_ups'] });
  const { fetch, lines, query } = fixture;
  const stored = () => query('select * from messages order by reference');

  describe('a message', () => {
    test('is stored exactly as it was sent, and answered with its reference', async () => {
      const response = await fetch(json(words));
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const { reference } = (await response.json()) as { reference: string };
      expect(await stored()).toEqual([
        {
          ...words,
          reference,
          received_at: fixture.clock.now().toISOString(),
          state: 'new',
          idempotency_key: null,
          quarantine_reason: '',
          answered_at: null,
          closed_at: null,
          audit_report: null,
          search_text: expect.stringMatching(/^[0-9a-z-]{11}\nzoe /),
        },
      ]);
    });

    test.each([
      ['without some fields', '{"name":"Zoë","state":"spam","extra":[]}', { name: 'Zoë', state: 'new' }],
      ['of blanks', '{"name":" \\t","message":"\\n"}', { name: ' \t', message: '\n', state: 'empty' }],
      ['of nothing', '{}', { name: '', email: '', message: '', service: '', state: 'empty' }],
      ['as large as the limit', `{"message":"${large}"}`, { message: large, state: 'new' }],
    ])('%s is stored', async (_, body, row) => {
      expect((await fetch(json(body))).status).toBe(200);
      expect(await stored()).toMatchObject([row]);
    });

    test.each([
      ['services', 'zoe@example.com', '/creator#sent'],
      ['services', 'nobody', '/creator#refused'],
      ['__proto__', 'zoe@example.com', '/contact#sent'],
    ])('from the form %j of %s leads to %s', async (name, email, location) => {
      const response = await fetch(form({ ...words, email, form: name }));
      expect([response.status, response.headers.get('location')]).toEqual([303, location]);
      expect(await stored()).toHaveLength(location.endsWith('sent') ? 1 : 0);
    });
  });

  test.each<[number, string, Request, Partial<Problem>?]>([
    [400, 'no JSON', json('{')],
    [400, 'a list', json('[]')],
    [400, 'a number for a field', json('{"name":1}')],
    [400, 'a prototype further in', json('{"name":"Zoë","extra":[{"a":{"__proto__":1}}]}')],
    [400, 'a form of bytes that are no text', form('message=a%FFb')],
    [400, 'a form with a percent sign that stands for nothing', form('message=100%')],
    [400, 'a form with NUL', form('message=a%00b')],
    [400, 'a form of 10,000 fields', form('a=1&'.repeat(10_000))],
    [400, 'a sign-up with a number for the address', signUp('{"email":1}')],
    [403, 'a post from another site', json(words, { 'sec-fetch-site': 'cross-site', origin })],
    [403, 'another origin', json(words, { origin: 'https://evil.example' })],
    [404, 'an unknown path', get('/api/nothing')],
    [405, 'another method', get(contactPath)],
    [413, 'one byte over the limit', json(' '.repeat(limits.maxBodyBytes + 1))],
    [413, 'an announced size', json('{}', { 'content-length': String(limits.maxBodyBytes + 1) })],
    [413, 'a sign-up over its limit', signUp({ email: '', wording: 'x'.repeat(maxNewsletterBytes) })],
    [415, 'parts', json('{}', { 'content-type': 'multipart/form-data; boundary=x' })],
    [415, 'another charset', json('{}', { 'content-type': 'application/json; charset=utf-16' })],
    [415, 'the name of a method', json('{}', { 'content-type': 'constructor' })],
    [415, 'a compressed body', json('{}', { 'content-encoding': 'gzip' })],
    [422, 'no address', json({ email: 'zoe' }), { field: 'email', reason: 'is not an email address' }],
    [422, 'an address that is no host', json({ email: 'zoe@b.co/../x?y#z' }), { field: 'email' }],
    [422, 'an address of 255 characters', json({ email: emailOf(255) }), { field: 'email' }],
    [422, 'a sign-up with a header', signUp({ email: 'a@x.org\r\nBcc: b@x.org' }), { field: 'email' }],
    [422, 'a NUL', json('{"name":"a\\u0000b"}'), { field: 'name' }],
    [422, 'half a character', json('{"message":"a\\ud83db"}'), { field: 'message' }],
  ])('is %i for %s, and stores nothing', async (status, _, request, about = {}) => {
    const response = await fetch(request);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ status, ...about });
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect([...(await stored()), ...(await query('select * from sign_ups'))]).toEqual([]);
    expect(lines.join('')).not.toContain('"level":"error"');
  });

  test('rejects a cross-site post to every path that is not CSRF-exempt', async () => {
    const posted = [contactPath, signUpPath, bouncesPath, auditApiPath, auditPaths.page, '/api/nothing'];
    posted.push(...Object.values(newsletterPaths));
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const exempt: string[] = [];
    for (const path of posted) {
      if ((await fetch(form(words, foreign, path))).status !== 403) exempt.push(path);
    }
    expect(exempt).toEqual([bouncesPath, newsletterPaths.confirm, newsletterPaths.unsubscribe]);
  });

  test('is 413 as soon as the limit is exceeded, without reading the rest', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1024;
        if (sent > limits.maxBodyBytes * 4) controller.close();
        else controller.enqueue(new Uint8Array(1024).fill(32));
      },
    });
    expect((await fetch(json(body))).status).toBe(413);
    expect(sent).toBeLessThan(limits.maxBodyBytes * 2);
  });

  test('the log has the id of a request, and no visitor input, not even from the URL', async () => {
    const secret = { name: 'canary', email: 'canary@example.com', message: 'canary', service: 'canary' };
    const requests = [
      json('{"canary'),
      json(secret),
      form({ ...secret, form: 'canary' }),
      json({ ...secret, email: 'canary' }),
      json({ ...secret, message: 'canary\0' }),
      json(secret, { origin: 'https://canary.example' }),
      json(secret, { 'content-type': 'text/canary' }),
      get(`${contactPath}?email=canary@example.com`),
      get('/api/leave/canary%40example.com'),
      get('/api/leave2/canary%2540example.com?email=canary%2540example.com'),
    ];
    const { log, lines: written } = collectLog();
    const other = await fixture.wireSite({}, { log });
    written.length = 0;
    const responses: Response[] = [];
    for (const one of requests) responses.push(await other.app.fetch(one));
    // Some lines are written when the process ends.
    await other[Symbol.asyncDispose]();
    const logged = written.map(line => JSON.parse(line));
    const [malformed] = responses as [Response];
    const { requestId } = (await malformed.json()) as Problem;
    expect(malformed.headers.get('x-request-id')).toBe(requestId);
    const request = { level: 'info', event: 'request', method: 'POST', path: contactPath, status: 400 };
    expect(logged).toContainEqual(expect.objectContaining({ ...request, requestId }));
    expect(logged.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(requests.length);
    expect(JSON.stringify(logged)).not.toContain('canary');
  });

  test('an unexpected error is 500 without details; the log contains them', async () => {
    const isReady = () => Promise.reject(new Error('the secret inside'));
    const readiness = { ...fixture.site.readiness, isReady };
    await using other = await fixture.wireSite({}, { readiness });
    lines.length = 0;
    const response = await other.app.fetch(get('/readyz'));
    expect(response.status).toBe(500);
    const problem = (await response.json()) as Problem;
    expect(JSON.stringify(problem)).not.toContain('secret');
    expect(fixture.events().find(({ level }) => level === 'error')).toMatchObject({
      level: 'error',
      requestId: problem.requestId,
      error: 'the secret inside',
      stack: expect.stringContaining('app.test.ts'),
    });
  });
});
