import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databases, databaseUnderTest, type TestDatabase } from '../../tests/harness/databases.ts';
import { hostNames, notHostNames } from '../../tests/harness/host-names.ts';
import { form, json, origin } from '../../tests/harness/requests.ts';
import { collectLog, testConfig } from '../../tests/harness/site.ts';
import { randomIds } from '../lib/ids.ts';
import { type Services, wire } from '../server/wire.ts';
import type { Store } from '../store/open-store.ts';
import type { MessageRow } from '../store/tables.ts';
import { bouncesPath, contactPath, limits, newsletterPath, type Problem, stepPaths } from './contract.ts';

const now = '2026-01-02T03:04:05.678Z';
const words = {
  name: 'Zoë 👩🏽‍💻',
  email: ' zoe@example.com ',
  message: 'one\r\n\ttwo\u202e; --',
  service: 'malware',
};

describe.each(databaseUnderTest)('the API on $name', ({ create }) => {
  const { log, lines } = collectLog();
  const issued: string[] = [];
  let database: TestDatabase;
  let site: Services;

  beforeAll(async () => {
    database = await create();
    const ids = { ...randomIds, reference: () => issued[issued.push(randomIds.reference()) - 1] as string };
    site = await wire(testConfig(database.env), { log, ids, clock: { now: () => new Date(now) } });
  });
  beforeEach(() => {
    lines.length = 0;
    issued.length = 0;
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  async function storedRows(): Promise<MessageRow[]> {
    const rows = await Promise.all(issued.map(reference => site.store.messages.get(reference)));
    return rows.filter(row => row !== undefined);
  }

  /** Sends, checks that nothing was stored, and hands over the problem. */
  async function refused(request: Request): Promise<Problem & { response: Response }> {
    const response = await site.app.fetch(request);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await storedRows()).toEqual([]);
    return { ...((await response.json()) as Problem), response };
  }

  describe('a message', () => {
    test('is stored exactly as it was sent, and answered with its reference', async () => {
      const response = await site.app.fetch(json(words));
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const { reference } = (await response.json()) as { reference: string };
      const row = await site.store.messages.get(reference);
      expect(row).toEqual({
        ...words,
        reference,
        received_at: now,
        state: 'new',
        idempotency_key: null,
        quarantine_reason: '',
      });
    });

    test('may omit any field, and unknown fields are ignored', async () => {
      const body = '{"name":"Zoë","state":"spam","extra":[]}';
      expect((await site.app.fetch(json(body))).status).toBe(200);
      expect(await storedRows()).toMatchObject([
        { name: 'Zoë', email: '', message: '', service: '', state: 'new' },
      ]);
    });

    test('of blanks is stored as empty', async () => {
      expect((await site.app.fetch(json({ name: ' \t', message: '\n' }))).status).toBe(200);
      expect((await site.app.fetch(json({}))).status).toBe(200);
      expect(await storedRows()).toMatchObject([
        { state: 'empty', name: ' \t', message: '\n' },
        { state: 'empty' },
      ]);
    });

    test('may be as large as the limit', async () => {
      const frame = JSON.stringify({ message: '' }).length;
      const message = 'x'.repeat(limits.maxBodyBytes - frame);
      expect((await site.app.fetch(json({ message }))).status).toBe(200);
      expect(await storedRows()).toMatchObject([{ message }]);
    });
  });

  describe('a form without JavaScript', () => {
    test.each([
      ['contact', '/contact'],
      ['services', '/creator'],
      ['newsletter', '/contact'],
      ['', '/contact'],
      ['https://evil.example', '/contact'],
      ['__proto__', '/contact'],
      ['constructor', '/contact'],
    ])('named %j is stored and redirected to %s', async (name, page) => {
      const response = await site.app.fetch(form({ ...words, form: name }));
      expect([response.status, response.headers.get('location')]).toEqual([303, `${page}#sent`]);
      expect(await storedRows()).toMatchObject([words]);
    });

    test('is redirected to the error notice when a field is invalid', async () => {
      const response = await site.app.fetch(form({ email: 'nobody', form: 'services' }));
      expect([response.status, response.headers.get('location')]).toEqual([303, '/creator#refused']);
      expect(await storedRows()).toEqual([]);
    });

    test.each([
      ['bytes that are no text', 'message=a%FFb'],
      ['half of a letter', 'message=%C3&name=%A9'],
      ['a lone surrogate', 'message=%ED%A0%80'],
      ['a percent sign that stands for nothing', 'message=100%'],
      ['NUL', 'message=a%00b'],
      ['a prototype', '__proto__=x&message=a'],
      ['a prototype in brackets', 'constructor[prototype][isAdmin]=1'],
      ['a prototype behind a dot', 'a.__proto__.b=1'],
      ['10,000 fields', 'a=1&'.repeat(10_000)],
    ])('that no browser would post is 400: %s', async (_, body) => {
      expect(await refused(form(body))).toMatchObject({ status: 400 });
      expect(await refused(form(body.slice(0, 4000), {}, newsletterPath))).toMatchObject({ status: 400 });
      expect(await storedRows()).toEqual([]);
    });
  });

  describe('an error response', () => {
    test.each([
      '',
      '{',
      'null',
      '"text"',
      '42',
      '[]',
      '[{"name":"Zoë"}]',
      '{"name":1}',
      '{"email":null}',
      '{"message":["a"]}',
      '{"email":{}}',
      '{"name":"Zoë","__proto__":{"message":"x"}}',
      '{"name":"Zoë","\\u005f_proto__":1}',
      '{"constructor":{"prototype":{}}}',
      '{"name":"Zoë","extra":[{"a":{"__proto__":1}}]}',
    ])('is 400 for the body %j', async body =>
      expect(await refused(json(body))).toMatchObject({ status: 400, response: { status: 400 } }),
    );

    test.each<[Record<string, string>]>([
      [{ 'sec-fetch-site': 'cross-site', origin }],
      [{ 'sec-fetch-site': 'same-site' }],
      [{ origin: 'https://evil.example' }],
      [{ origin: 'null' }],
    ])('is 403 for a cross-site post (CSRF) with the headers %j', async headers => {
      expect(await refused(json(words, headers))).toMatchObject({ status: 403, response: { status: 403 } });
      expect(await refused(form(words, headers))).toMatchObject({ status: 403 });
    });

    test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
      'is 405 for %s, and names the method there is',
      async method => {
        const response = await site.app.fetch(new Request(origin + contactPath, { method }));
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      },
    );

    test('is 403 for a cross-site post to every path that is not CSRF-exempt', async () => {
      const posted = [contactPath, newsletterPath, bouncesPath, ...Object.values(stepPaths), '/api/nothing'];
      const foreign = { 'sec-fetch-site': 'cross-site' };
      const refusing: string[] = [];
      for (const path of posted) {
        if ((await site.app.fetch(form(words, foreign, path))).status === 403) refusing.push(path);
      }
      expect(posted.filter(path => !refusing.includes(path))).toEqual([
        bouncesPath,
        stepPaths.confirm,
        stepPaths.leave,
      ]);
    });

    test('is 413 for one byte over the limit, announced or not', async () => {
      const body = ' '.repeat(limits.maxBodyBytes + 1);
      expect(await refused(json(body))).toMatchObject({ status: 413, response: { status: 413 } });
      const announced = json('{}', { 'content-length': String(body.length) });
      expect(await refused(announced)).toMatchObject({ status: 413, response: { status: 413 } });
      expect(lines.join('')).not.toContain('"error"');
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
      expect(await refused(json(body))).toMatchObject({ status: 413 });
      expect(sent).toBeLessThan(limits.maxBodyBytes * 2);
    });

    test.each([
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json; charset=utf-16',
      'application/json;charset="iso-8859-1"',
      'constructor',
      '__proto__',
      '',
    ])('is 415 for the type %j', async type =>
      expect(await refused(json('{}', { 'content-type': type }))).toMatchObject({
        status: 415,
        response: { status: 415 },
      }),
    );

    test('is 415 for a compressed body', async () =>
      expect(await refused(json('{}', { 'content-encoding': 'gzip' }))).toMatchObject({ status: 415 }));

    test.each(['zoe', '@example.com', 'zoe@', 'zoe@a@b', 'zoe@.example', 'a b@example.com', 'a@x.y, b@x.y'])(
      'is 422 for the e-mail address %j, and names the field',
      async email =>
        expect(await refused(json({ email }))).toMatchObject({
          status: 422,
          field: 'email',
          reason: 'is not an e-mail address',
          title: 'email is not an e-mail address',
          response: { status: 422 },
        }),
    );

    test.each([...notHostNames])(
      'is 422 for an e-mail address at %j, and #refused for a form',
      async host => {
        const email = `zoe@${host}`;
        expect(await refused(json({ ...words, email }))).toMatchObject({ status: 422, field: 'email' });
        const { status, headers } = await site.app.fetch(form({ ...words, email }));
        expect([status, headers.get('location')]).toEqual([303, '/contact#refused']);
        expect(await storedRows()).toEqual([]);
        const signUp = { email, form: 'home', wording: '' };
        const sent = await refused(json(signUp, {}, newsletterPath));
        expect(sent).toMatchObject({ status: 422, field: 'email' });
      },
    );

    test.each([...Object.keys(hostNames), 'localhost', '192.0.2.1', 'example\u3002com'])(
      'is none for an e-mail address at %j, which is stored as it was typed',
      async host => {
        const email = `Zoe@${host}`;
        expect((await site.app.fetch(json({ ...words, email }))).status).toBe(200);
        expect(await storedRows()).toMatchObject([{ email }]);
      },
    );

    test('is 422 for an e-mail address of 255 characters, one too many', async () => {
      const email = (length: number) => `${'x'.repeat(length - 12)}@example.com`;
      expect(await refused(json({ email: email(255) }))).toMatchObject({ status: 422, field: 'email' });
      expect((await site.app.fetch(json({ email: email(254) }))).status).toBe(200);
    });

    test.each([
      ['a NUL', '\\u0000'],
      ['half a character', '\\ud83d'],
      ['the other half', '\\udc69'],
    ])('is 422 for text that not every database can store: %s', async (_, text) => {
      for (const field of ['name', 'message']) {
        expect(await refused(json(`{"${field}":"a${text}b"}`))).toMatchObject({ status: 422, field });
      }
    });

    test('is 404 for an unknown path', async () => {
      expect(await refused(new Request(`${origin}/api/nothing`))).toMatchObject({ status: 404 });
    });
  });

  describe('the log', () => {
    test('contains the request id of each response', async () => {
      const {
        responses: [response = new Response()],
        logged,
      } = await countLogged([json('{')]);
      const { requestId } = (await response.json()) as Problem;
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get('x-request-id')).toBe(requestId);
      expect(logged).toMatchObject([
        { level: 'info', event: 'request', requestId, method: 'POST', path: contactPath, status: 400 },
      ]);
    });

    test('contains no visitor input, not even from the URL', async () => {
      const secret = { name: 'canary', email: 'canary@example.com', message: 'canary', service: 'canary' };
      const requests = [
        json(secret),
        form({ ...secret, form: 'canary' }),
        json({ ...secret, email: 'canary' }),
        json({ ...secret, message: 'canary\0' }),
        json('{"canary'),
        json(secret, { origin: 'https://canary.example' }),
        json(secret, { 'content-type': 'text/canary' }),
        new Request(`${origin}${contactPath}?email=canary@example.com`),
        new Request(`${origin}/api/leave/canary@example.com`),
        new Request(`${origin}/api/leave/canary%40example.com`),
        new Request(`${origin}/api/leave2/canary%2540example.com?email=canary%2540example.com`),
        new Request(`${origin}/api/contact%3Femail=canary%2540example.com`),
      ];
      const { logged } = await countLogged(requests);
      expect(logged.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(requests.length);
      expect(JSON.stringify(logged)).not.toContain('canary');
    });

    /** The log of a new process until it ends, and the responses. */
    async function countLogged(requests: Request[]) {
      const { log: own, lines: written } = collectLog();
      const other = await wire(testConfig(database.env), { log: own });
      written.length = 0;
      const responses: Response[] = [];
      for (const request of requests) responses.push(await other.app.fetch(request));
      await other[Symbol.asyncDispose]();
      return { responses, logged: written.map(line => JSON.parse(line)) };
    }
  });

  test('/healthz and /readyz respond, log at debug level, and report "not ready" during shutdown', async () => {
    const other = await wire(testConfig(database.env), { log });
    expect(await answer(other, '/healthz')).toEqual([200, 'alive\n']);
    expect(await answer(other, '/readyz')).toEqual([200, 'ready\n']);
    const requests = lines.map(line => JSON.parse(line)).filter(({ event }) => event === 'request');
    expect(requests.map(({ level }) => level)).toEqual(['debug', 'debug']);
    other.readiness.startShutdown();
    expect(await answer(other, '/readyz')).toEqual([503, 'not ready\n']);
    expect(await answer(other, '/healthz')).toEqual([200, 'alive\n']);
    await other[Symbol.asyncDispose]();
  });

  test('without a store: not ready, 503 for JSON, the error notice for a form, and every failure logged', async () => {
    const other = await wire(testConfig(database.env), { log });
    await other.store.close();
    expect(await answer(other, '/readyz')).toEqual([503, 'not ready\n']);
    expect(await answer(other, '/healthz')).toEqual([200, 'alive\n']);
    expect((await other.app.fetch(json(words))).status).toBe(503);
    expect((await other.app.fetch(form(words))).headers.get('location')).toBe('/contact#refused');
    const errors = lines.map(line => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors.map(({ event }) => event)).toEqual([
      'store not writable',
      'message not stored',
      'message not stored',
    ]);
  });
});

describe('when the store fails', () => {
  const { log, lines } = collectLog();
  const inside = new Error('the secret inside');
  const readiness = {
    isReady: () => Promise.reject(inside),
    startShutdown: () => undefined,
    markNotReady: () => undefined,
  };
  let database: TestDatabase;
  let whole: Services;
  let store: Store;

  beforeAll(async () => {
    database = await (databases[0] as (typeof databases)[number]).create();
    whole = await wire(testConfig(database.env), { log });
    const messages = { ...whole.store.messages, add: () => Promise.reject(inside) };
    store = { ...whole.store, messages, assertWritable: () => Promise.reject(inside) };
  });
  beforeEach(() => {
    lines.length = 0;
  });
  afterAll(async () => {
    await whole[Symbol.asyncDispose]();
    await database.remove();
  });

  test('a message gets 503, never 200', async () => {
    const { app } = await wire(testConfig({}), { log, store });
    const response = await app.fetch(json(words));
    expect(response.status).toBe(503);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(await response.text()).not.toMatch(/secret|Error|at /);
    expect(lines.join('')).toContain('the secret inside');
    expect(lines.join('')).not.toContain('zoe@');
  });

  test('a form is redirected to the error notice', async () => {
    const { app } = await wire(testConfig({}), { log, store });
    const response = await app.fetch(form({ ...words, form: 'services' }));
    expect([response.status, response.headers.get('location')]).toEqual([303, '/creator#refused']);
  });

  test('a store that cannot write makes the site not ready', async () => {
    expect(await answer(await wire(testConfig({}), { log, store }), '/readyz')).toEqual([503, 'not ready\n']);
  });

  test('an unexpected error is 500 without details; the log contains them', async () => {
    const { app } = await wire(testConfig({}), { log, store, readiness });
    const response = await app.fetch(new Request(`${origin}/readyz`));
    expect(response.status).toBe(500);
    const problem = (await response.json()) as Problem;
    expect(JSON.stringify(problem)).not.toContain('secret');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      requestId: problem.requestId,
      error: 'the secret inside',
      stack: expect.stringContaining('app.test.ts'),
    });
  });
});

async function answer({ app }: Services, path: string): Promise<[number, string]> {
  const response = await app.fetch(new Request(origin + path));
  return [response.status, await response.text()];
}
