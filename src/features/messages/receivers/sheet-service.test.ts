import { beforeEach, expect, test } from 'vitest';
import type { Behaviour } from '../../../../tests/fakes/http-service.ts';
import { createSheetService } from '../../../../tests/fakes/sheet-service.ts';
import { disposeAfterAll } from '../../../../tests/harness/dispose-after-all.ts';
import { attempt, samplePayload } from '../../../../tests/harness/sample-payload.ts';
import type { OwnerReceiver } from '../payloads.ts';
import { adaptRow } from './adapters.ts';
import { createSheetReceiver } from './sheet-receiver.ts';
import { createRow } from './sheet-row.ts';
import {
  type Columns,
  defaultColumns,
  type SheetAdapter,
  type SheetServiceSettings,
} from './sheet-settings.ts';

const payload = { ...samplePayload, message: '=1+2\r\nשלום 👍🏽' };
const stored = {
  Received: payload.receivedAt,
  Name: payload.name,
  Email: payload.email,
  Service: '',
  Message: `'${payload.message}`,
  Reference: payload.reference,
};

const fake = await disposeAfterAll(createSheetService());
beforeEach(() => {
  fake.script([]);
  fake.rows.length = 0;
  fake.requests.length = 0;
});

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

function create(overrides: Partial<SheetServiceSettings> = {}): OwnerReceiver {
  const whole = { ...settings, url: fake.url, scriptOrigin: fake.origin, ...overrides };
  return createSheetReceiver(whole, { dataDir: '/nowhere', messages: () => ReadableStream.from([]) });
}

const deliver = (overrides: Partial<SheetServiceSettings> = {}) =>
  create(overrides).deliver(payload, attempt);

function deliverToScript(overrides: Partial<SheetServiceSettings> = {}) {
  const success = { statuses: [200], text: '"stored":true' };
  return deliver({ url: `${fake.origin}/script`, adapter: { kind: 'script' }, success, ...overrides });
}

test('a row arrives with its credential, and its destination is shown without its secret path', async () => {
  expect(await deliver()).toEqual({ kind: 'delivered' });
  expect(fake.rows).toEqual([stored]);
  expect(fake.requests).toMatchObject([
    { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': 'sesame' } },
  ]);
  const sheet = create({ url: 'https://script.google.com/macros/s/secret/exec?key=secret' });
  expect(sheet).toMatchObject({ name: 'sheet', destination: 'script.google.com', isIdempotent: false });
  expect(sheet.find).toBeUndefined();
});

test.each<[string, Behaviour]>([
  ['retry', { kind: 'answer', status: 200, body: '{"error":"Zoë"}' }],
  // The service has stored the row and answers in another way than its settings say.
  ['permanent', { kind: 'answer', status: 201 }],
])('the outcome is %s, and it may have arrived, after %j', async (kind, behaviour) => {
  fake.script([behaviour]);
  const outcome = await deliver({ success: { statuses: [200], text: '"created"' } });
  expect(outcome).toMatchObject({ kind, isAmbiguous: true });
  expect(JSON.stringify(outcome)).not.toContain('Zoë');
});

test('a script redirects to another host, which gets no credential', async () => {
  expect(await deliverToScript()).toEqual({ kind: 'delivered' });
  expect(fake.rows).toEqual([stored]);
  const [posted, followed] = fake.requests;
  expect(posted).toMatchObject({ method: 'POST', headers: { 'x-api-key': 'sesame' } });
  expect(followed).toMatchObject({ method: 'GET', url: { pathname: '/script/answer' }, body: '' });
  expect(followed?.headers).not.toHaveProperty('x-api-key');
});

test('a script that redirects to any other place is not followed, and has stored nothing', async () => {
  for (const location of [
    'https://accounts.google.com/login',
    'http://script.googleusercontent.com/echo',
    'https://script.googleusercontent.com.example/echo',
    '',
  ]) {
    fake.script([{ kind: 'answer', status: 302, headers: { location } }]);
    const outcome = await deliverToScript({ scriptOrigin: 'https://script.googleusercontent.com' });
    expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous: false });
    expect(JSON.stringify(outcome)).not.toContain('login');
  }
  expect(fake.requests).toHaveLength(4);
});

test.each<Behaviour>([
  { kind: 'answer', status: 302, headers: { location: '/script/answer' } },
  { kind: 'reset' },
])('a script whose answer is %j may have stored the row', async behaviour => {
  fake.script([{ kind: 'work' }, behaviour]);
  expect(await deliverToScript()).toMatchObject({ kind: 'retry', isAmbiguous: true });
  expect(fake.requests).toHaveLength(2);
});

const find = (path: string, reference = payload.reference) =>
  create({ lookupUrl: fake.url + path }).find?.({ ...payload, reference }, attempt.signal);

test.each(['rows/{reference}', 'rows?Reference={reference}'])('a row can be looked up at %s', async path => {
  await deliver();
  expect(await find(path)).toBe(true);
  expect(await find(path, 'BBBBB-22222')).toBe(false);
  expect(fake.requests.at(-1)).toMatchObject({ method: 'GET', headers: { 'x-api-key': 'sesame' } });
});

test('a message that mentions the reference is not that message', async () => {
  fake.rows.push({ Message: 'about "BBBBB-22222", please' });
  expect(await find('rows#{reference}', 'BBBBB-22222')).toBe(false);
});

test.each<[string, Behaviour]>([
  ['an error', { kind: 'answer', status: 500 }],
  ['a reset', { kind: 'reset' }],
  ['more than is read', { kind: 'answer', status: 200, body: 'x'.repeat(70_000) }],
])('a lookup throws after %s: it cannot tell', async (_, behaviour) => {
  fake.script([behaviour]);
  await expect(find('rows/{reference}')).rejects.toThrow(/^look-up/);
});

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
  expect(create({ adapter }).isIdempotent).toBe(method !== 'POST');
});

test('SheetDB and Google Sheets are asked for raw values, also when the URL says otherwise', () => {
  const { body } = adapt({ adapter: { kind: 'wrapped', key: 'data', isList: true }, isRaw: true });
  expect(body).toEqual({ data: [row], mode: 'RAW' });
  const url = 'https://sheets.example/v4:append?valueInputOption=';
  const adapter = { kind: 'matrix', key: 'values' } as const;
  expect(adapt({ adapter, isRaw: true, url: `${url}USER_ENTERED` }).url).toBe(`${url}RAW`);
});
