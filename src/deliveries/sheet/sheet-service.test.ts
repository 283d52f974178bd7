import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Behaviour } from '../../../tests/fakes/http-service.ts';
import { createSheetService, type SheetService } from '../../../tests/fakes/sheet-service.ts';
import { attempt, samplePayload } from '../../../tests/harness/sample-payload.ts';
import type { Receiver } from '../delivery.ts';
import { adaptRow } from './adapters.ts';
import { createSheetReceiver } from './sheet-receiver.ts';
import { createRow } from './sheet-row.ts';
import {
  type Columns,
  defaultColumns,
  type SheetAdapter,
  type SheetServiceSettings,
} from './sheet-settings.ts';

let fake: SheetService;
const payload = { ...samplePayload, message: '=1+2\r\nשלום 👍🏽' };
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

const settings: SheetServiceSettings = {
  kind: 'service',
  url: 'https://sheets.example/api?tab=1',
  adapter: { kind: 'flat' },
  columns: defaultColumns,
  auth: { name: 'X-Api-Key', value: 'sesame' },
  lookupUrl: undefined,
  success: { statuses: [200], text: undefined },
  isRaw: false,
  perSecond: 1,
};

function create(overrides: Partial<SheetServiceSettings> = {}): Receiver {
  const whole = { ...settings, url: fake.url, scriptOrigin: fake.origin, ...overrides };
  return createSheetReceiver(whole, { dataDir: '/nowhere', messages: () => ReadableStream.from([]) });
}

const deliver = (overrides: Partial<SheetServiceSettings> = {}) =>
  create(overrides).deliver(payload, attempt);

function deliverToScript(overrides: Partial<SheetServiceSettings> = {}) {
  const success = { statuses: [200], text: '"stored":true' };
  return deliver({ url: `${fake.origin}/script`, adapter: { kind: 'script' }, success, ...overrides });
}

describe('a row arrives', () => {
  test('with its credential', async () => {
    expect(await deliver()).toEqual({ kind: 'delivered' });
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

  test('and its destination is shown without its secret path', () => {
    const sheet = create({ url: 'https://script.google.com/macros/s/secret/exec?key=secret' });
    expect(sheet).toMatchObject({ name: 'sheet', destination: 'script.google.com', isIdempotent: false });
    expect(sheet.find).toBeUndefined();
  });
});

test.each<[string, Behaviour, object]>([
  ['retry', { kind: 'answer', status: 500 }, { isAmbiguous: true }],
  ['retry', { kind: 'answer', status: 200, body: '{"error":"Zoë"}' }, { isAmbiguous: true }],
  ['retry', { kind: 'reset', isDone: true }, { isAmbiguous: true }],
  ['misconfigured', { kind: 'answer', status: 401 }, {}],
  // The service has stored the row and answers in another way than its settings say.
  ['permanent', { kind: 'answer', status: 201 }, { isAmbiguous: true }],
])('the outcome is %s after %j', async (kind, behaviour, more) => {
  fake.script([behaviour]);
  const outcome = await deliver({ success: { statuses: [200], text: '"created"' } });
  expect(outcome).toMatchObject({ kind, ...more });
  expect(JSON.stringify(outcome)).not.toContain('Zoë');
  expect(fake.requests).toHaveLength(1);
});

describe('a script', () => {
  test('redirects to another host, which gets no credential', async () => {
    expect(await deliverToScript()).toEqual({ kind: 'delivered' });
    expect(fake.rows).toEqual([stored]);
    const [posted, followed] = fake.requests;
    expect(posted).toMatchObject({ method: 'POST', headers: { 'x-api-key': 'sesame' } });
    expect(followed).toMatchObject({ method: 'GET', url: { pathname: '/script/answer' }, body: '' });
    expect(followed?.headers).not.toHaveProperty('x-api-key');
  });

  test.each([
    ['another host', 'https://accounts.google.com/login'],
    ['its own address without TLS', 'http://script.googleusercontent.com/echo'],
    ['a host that looks like it', 'https://script.googleusercontent.com.example/echo'],
    ['nowhere', ''],
  ])('is followed to no other place: %s', async (_, location) => {
    fake.script([{ kind: 'answer', status: 302, headers: { location } }]);
    const outcome = await deliverToScript({ scriptOrigin: 'https://script.googleusercontent.com' });
    expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous: false });
    expect(JSON.stringify(outcome)).not.toContain('login');
    expect(fake.requests).toHaveLength(1);
  });

  test.each<[string, Behaviour]>([
    ['redirects again', { kind: 'answer', status: 302, headers: { location: '/script/answer' } }],
    ['is forbidden', { kind: 'answer', status: 403 }],
    ['is an error page', { kind: 'answer', status: 200, body: '<title>Error</title>' }],
    ['is reset', { kind: 'reset' }],
  ])('may have stored the row, when its answer %s', async (_, behaviour) => {
    fake.script([{ kind: 'work' }, behaviour]);
    expect(await deliverToScript()).toMatchObject({ kind: 'retry', isAmbiguous: true });
    expect(fake.requests).toHaveLength(2);
  });

  test('that fails before it runs has stored nothing', async () => {
    fake.script([{ kind: 'answer', status: 404 }]);
    expect(await deliverToScript()).toMatchObject({ kind: 'retry', isAmbiguous: false });
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

  test.each<[string, Behaviour]>([
    ['an error', { kind: 'answer', status: 500 }],
    ['a redirect', { kind: 'answer', status: 302, headers: { location: '/' } }],
    ['a reset', { kind: 'reset' }],
    ['more than is read', { kind: 'answer', status: 200, body: 'x'.repeat(70_000) }],
  ])('and throws after %s: it cannot tell', async (_, behaviour) => {
    fake.script([behaviour]);
    await expect(find(`${fake.url}rows/{reference}`)).rejects.toThrow(/^look-up/);
  });
});

describe('the request', () => {
  const columns: Columns = [
    { field: 'name', column: 'Full name' },
    { field: 'reference', column: 'Ref' },
  ];

  function adapt(overrides: Partial<SheetServiceSettings>) {
    const row = createRow({ ...samplePayload, name: '=1+2' }, columns);
    const { body, ...rest } = adaptRow({ ...settings, columns, ...overrides }, row);
    return { ...rest, body: JSON.parse(body) };
  }

  const cells = ["'=1+2", 'ABCDE-FGHJK'];
  const row = { 'Full name': "'=1+2", Ref: 'ABCDE-FGHJK' };

  test.each<[SheetAdapter, string, unknown]>([
    [{ kind: 'flat' }, 'POST', row],
    [{ kind: 'script' }, 'POST', row],
    [{ kind: 'wrapped', key: 'data', isList: true }, 'POST', { data: [row] }],
    [{ kind: 'wrapped', key: 'sheet1', isList: false }, 'POST', { sheet1: row }],
    [{ kind: 'matrix', key: 'values' }, 'POST', { values: [cells] }],
    [{ kind: 'matrix', key: undefined }, 'POST', [cells]],
    [{ kind: 'records', upsert: undefined }, 'POST', { records: [{ fields: row }] }],
    [
      { kind: 'records', upsert: 'airtable' },
      'PATCH',
      { performUpsert: { fieldsToMergeOn: ['Ref'] }, records: [{ fields: row }] },
    ],
    [
      { kind: 'records', upsert: 'grist' },
      'PUT',
      { records: [{ require: { Ref: 'ABCDE-FGHJK' }, fields: { 'Full name': "'=1+2" } }] },
    ],
  ])('%j sends escaped cells under their columns, and upserts by our reference', (adapter, method, body) => {
    expect(adapt({ adapter })).toEqual({ method, url: settings.url, body });
  });

  test('SheetDB and Google Sheets are asked for raw values, also when the URL says otherwise', () => {
    const { body } = adapt({ adapter: { kind: 'wrapped', key: 'data', isList: true }, isRaw: true });
    expect(body).toEqual({ data: [row], mode: 'RAW' });
    for (const query of ['', '?valueInputOption=USER_ENTERED']) {
      const google = `https://sheets.example/v4:append${query}`;
      const adapted = adapt({ adapter: { kind: 'matrix', key: 'values' }, isRaw: true, url: google });
      expect(adapted.url).toBe('https://sheets.example/v4:append?valueInputOption=RAW');
    }
  });
});
