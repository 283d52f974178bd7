import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Behaviour } from '../../../tests/fakes/http-service.ts';
import { createSheetService, type SheetService } from '../../../tests/fakes/sheet-service.ts';
import type { Attempt, MessagePayload, Receiver } from '../delivery.ts';
import { createSheetReceiver } from './sheet-receiver.ts';
import { defaultColumns, type SheetAdapter, type SheetServiceSettings } from './sheet-settings.ts';

let fake: SheetService;

const attempt: Attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
const payload: MessagePayload = {
  kind: 'message',
  reference: 'AAAAA-11111',
  receivedAt: '2026-11-15T08:00:00.000Z',
  name: 'Zoë "Z" <b>',
  email: 'zoe@example.com',
  message: '=1+2\r\nשלום 👍🏽',
  service: '',
};
const stored = {
  Received: payload.receivedAt,
  Name: payload.name,
  Email: payload.email,
  Service: '',
  Message: `'${payload.message}`,
  Reference: payload.reference,
};

beforeAll(async () => {
  fake = await createSheetService();
});
beforeEach(() => {
  fake.script([]);
  fake.rows.length = 0;
  fake.requests.length = 0;
});
afterAll(() => fake[Symbol.asyncDispose]());

function create(overrides: Partial<SheetServiceSettings> = {}): Receiver {
  const settings: SheetServiceSettings = {
    kind: 'service',
    url: fake.url,
    adapter: { kind: 'flat' },
    columns: defaultColumns,
    auth: { name: 'X-Api-Key', value: 'sesame' },
    lookupUrl: undefined,
    success: { statuses: [200], text: undefined },
    isRaw: true,
    perSecond: 1,
    scriptOrigin: fake.origin,
    ...overrides,
  };
  return createSheetReceiver(settings, { dataDir: '/nowhere', messages: () => ReadableStream.from([]) });
}

function deliver(overrides: Partial<SheetServiceSettings> = {}) {
  return create(overrides).deliver(payload, attempt);
}

function script(overrides: Partial<SheetServiceSettings> = {}) {
  const success = { statuses: [200], text: '"stored":true' };
  return deliver({ url: `${fake.origin}/script`, adapter: { kind: 'script' }, success, ...overrides });
}

describe('a row arrives', () => {
  const shapes: [string, SheetAdapter][] = [
    ['flat', { kind: 'flat' }],
    ['wrapped in a list', { kind: 'wrapped', key: 'data', isList: true }],
    ['wrapped', { kind: 'wrapped', key: 'sheet1', isList: false }],
    ['as a matrix', { kind: 'matrix', key: 'values' }],
    ['as a bare matrix', { kind: 'matrix', key: undefined }],
    ['as a record', { kind: 'records', upsert: undefined }],
  ];
  test.each(shapes)('%s', async (_, shape) => {
    expect(await deliver({ adapter: shape })).toEqual({ kind: 'delivered' });
    expect(fake.rows).toEqual([stored]);
    expect(fake.requests).toMatchObject([
      { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': 'sesame' } },
    ]);
  });

  test.each(['airtable', 'grist'] as const)('once, however often it is sent, by %s upsert', async upsert => {
    const sheet = create({ adapter: { kind: 'records', upsert } });
    expect(sheet.isIdempotent).toBe(true);
    await sheet.deliver(payload, attempt);
    await sheet.deliver(payload, { ...attempt, isPossibleDuplicate: true });
    await sheet.deliver({ ...payload, reference: 'BBBBB-22222' }, attempt);
    expect(fake.rows).toEqual([stored, { ...stored, Reference: 'BBBBB-22222' }]);
  });

  test('where the service has its own success response', async () => {
    fake.script([{ kind: 'answer', status: 201, body: '{"created":1}', isDone: true }]);
    expect(await deliver({ success: { statuses: [201], text: '"created":1' } })).toEqual({
      kind: 'delivered',
    });
  });

  test('and its destination is shown without its secret path', () => {
    const sheet = create({ url: 'https://script.google.com/macros/s/secret/exec?key=secret' });
    expect(sheet).toMatchObject({
      name: 'sheet',
      destination: 'script.google.com',
      isIdempotent: false,
      perSecond: 1,
    });
    expect(sheet.find).toBeUndefined();
  });
});

describe('a row that does not arrive', () => {
  test.each<[string, Behaviour, object]>([
    ['500', { kind: 'answer', status: 500 }, { kind: 'retry', isAmbiguous: true }],
    [
      '503 with Retry-After',
      { kind: 'answer', status: 503, headers: { 'retry-after': '60' } },
      { kind: 'retry', isAmbiguous: true, retryAfterMs: 60_000 },
    ],
    [
      '429 with Retry-After',
      { kind: 'answer', status: 429, headers: { 'retry-after': '30' } },
      { kind: 'retry', isAmbiguous: false, retryAfterMs: 30_000 },
    ],
    ['402', { kind: 'answer', status: 402 }, { kind: 'retry', isAmbiguous: false }],
    ['401', { kind: 'answer', status: 401 }, { kind: 'misconfigured' }],
    ['410', { kind: 'answer', status: 410 }, { kind: 'retry', isAmbiguous: false, isRefused: true }],
    [
      '302',
      { kind: 'answer', status: 302, headers: { location: '/' } },
      { kind: 'retry', isAmbiguous: false },
    ],
    ['201', { kind: 'answer', status: 201 }, { kind: 'permanent', isAmbiguous: true }],
    ['reset', { kind: 'reset' }, { kind: 'retry', isAmbiguous: true }],
    ['reset after it was stored', { kind: 'reset', isDone: true }, { kind: 'retry', isAmbiguous: true }],
  ])('is told for what it is: %s', async (_, behaviour, outcome) => {
    fake.script([behaviour]);
    expect(await deliver()).toMatchObject(outcome);
    expect(fake.requests).toHaveLength(1);
  });

  test('is detected by the body, where 200 is not enough', async () => {
    fake.script([{ kind: 'answer', status: 200, body: '{"error":"Zoë"}' }]);
    const outcome = await deliver({ success: { statuses: [200], text: '"created"' } });
    expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous: true });
    expect(JSON.stringify(outcome)).not.toContain('Zoë');
  });

  test('is aborted with its attempt when the service hangs', async () => {
    fake.script([{ kind: 'hang' }]);
    const outcome = await create().deliver(payload, { ...attempt, signal: AbortSignal.timeout(100) });
    expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous: true });
  });
});

describe('a script', () => {
  test('redirects to another host, which gets no credential', async () => {
    expect(await script()).toEqual({ kind: 'delivered' });
    expect(fake.rows).toEqual([stored]);
    expect(
      fake.requests.map(({ method, url, headers, body }) => [
        method,
        url.pathname,
        headers['x-api-key'],
        body,
      ]),
    ).toEqual([
      ['POST', '/script', 'sesame', expect.stringContaining('AAAAA-11111')],
      ['GET', '/script/answer', undefined, ''],
    ]);
  });

  test.each([
    ['another host', 'https://accounts.google.com/login'],
    ['its own address without TLS', 'http://script.googleusercontent.com/echo'],
    ['a host that looks like it', 'https://script.googleusercontent.com.example/echo'],
    ['nowhere', ''],
  ])('is followed to no other place: %s', async (_, location) => {
    fake.script([{ kind: 'answer', status: 302, headers: { location } }]);
    const outcome = await script({ scriptOrigin: 'https://script.googleusercontent.com' });
    expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous: false });
    expect(JSON.stringify(outcome)).not.toContain('login');
    expect(fake.requests).toHaveLength(1);
  });

  test.each<[string, Behaviour]>([
    ['redirects again', { kind: 'answer', status: 302, headers: { location: '/script/answer' } }],
    ['is forbidden', { kind: 'answer', status: 403 }],
    ['is missing', { kind: 'answer', status: 404 }],
    ['is an error page', { kind: 'answer', status: 200, body: '<title>Error</title>' }],
    ['is reset', { kind: 'reset' }],
  ])('may have stored the row, when its answer %s', async (_, behaviour) => {
    fake.script([{ kind: 'work' }, behaviour]);
    expect(await script()).toMatchObject({ kind: 'retry', isAmbiguous: true });
    expect(fake.requests).toHaveLength(2);
  });

  test('that fails before it runs has stored nothing', async () => {
    fake.script([{ kind: 'answer', status: 404 }]);
    expect(await script()).toMatchObject({ kind: 'retry', isAmbiguous: false });
  });
});

describe('a row can be looked up', () => {
  const find = (lookupUrl: string, reference = payload.reference) =>
    create({ lookupUrl }).find?.({ ...payload, reference }, attempt.signal);

  test.each(['rows/{reference}', 'rows?Reference={reference}'])('at %s', async path => {
    await deliver();
    expect(await find(fake.url + path)).toBe(true);
    expect(await find(fake.url + path, 'BBBBB-22222')).toBe(false);
    expect(fake.requests.at(-1)).toMatchObject({ method: 'GET', headers: { 'x-api-key': 'sesame' } });
  });

  test('a message that mentions the reference is not that message', async () => {
    fake.rows.push({ Message: 'about "BBBBB-22222", please', Reference: 'AAAAA-11111' });
    const everything = `${fake.url}rows#{reference}`;
    expect(await find(everything, 'BBBBB-22222')).toBe(false);
    expect(await find(everything, 'AAAAA-11111')).toBe(true);
  });

  test('a reference cannot change the URL', async () => {
    await find(`${fake.url}rows/{reference}`, '../?a=b&c#d');
    expect(fake.requests.at(-1)?.url.pathname).toBe('/rows/..%2F%3Fa%3Db%26c%23d');
  });

  test.each<[string, Behaviour]>([
    ['an error', { kind: 'answer', status: 500 }],
    ['a quota', { kind: 'answer', status: 429 }],
    ['a redirect', { kind: 'answer', status: 302, headers: { location: '/' } }],
    ['a reset', { kind: 'reset' }],
    ['more than is read', { kind: 'answer', status: 200, body: 'x'.repeat(70_000) }],
  ])('and throws after %s: it cannot tell', async (_, behaviour) => {
    fake.script([behaviour]);
    await expect(find(`${fake.url}rows/{reference}`)).rejects.toThrow(/^look-up/);
  });
});

describe('the fake', () => {
  test('lets a browser of any origin post JSON', async () => {
    const response = await fetch(fake.url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://static.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toContain('content-type');
  });

  test('shows its rows as escaped HTML', async () => {
    await deliver();
    const text = await (await fetch(fake.url)).text();
    expect(text).toContain('1 row');
    expect(text).toContain('Zoë &quot;Z&quot; &lt;b>');
  });
});
