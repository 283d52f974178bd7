import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeFormula } from '../../lib/escape-formula.ts';
import type { MessagePayload } from '../delivery.ts';
import { adaptRow } from './adapters.ts';
import { createRow } from './sheet-row.ts';
import {
  type Columns,
  defaultColumns,
  fields,
  type SheetAdapter,
  type SheetServiceSettings,
} from './sheet-settings.ts';

const url = 'https://sheets.example/api?tab=1';
const service: SheetServiceSettings = {
  kind: 'service',
  url,
  adapter: { kind: 'flat' },
  columns: defaultColumns,
  auth: undefined,
  lookupUrl: undefined,
  success: { statuses: [200], text: undefined },
  isRaw: false,
  perSecond: 1,
};
const payload: MessagePayload = {
  kind: 'message',
  reference: 'AAAAA-11111',
  receivedAt: '2026-11-15T08:00:00.000Z',
  name: 'Ann',
  email: 'ann@example.com',
  message: 'Hello',
  service: 'malware',
};
const columns: Columns = [
  { field: 'name', column: 'Full name' },
  { field: 'reference', column: 'Ref' },
];
const row = { 'Full name': 'Ann', Ref: 'AAAAA-11111' };

function shape(wanted: SheetAdapter, overrides: Partial<SheetServiceSettings> = {}) {
  const settings = { ...service, columns, adapter: wanted, ...overrides };
  const { body, ...rest } = adaptRow(settings, createRow(payload, settings.columns));
  return { ...rest, body: JSON.parse(body) };
}

test.each<[string, SheetAdapter, unknown]>([
  ['flat', { kind: 'flat' }, row],
  ['script', { kind: 'script' }, row],
  ['wrapped in a list', { kind: 'wrapped', key: 'data', isList: true }, { data: [row] }],
  ['wrapped', { kind: 'wrapped', key: 'sheet1', isList: false }, { sheet1: row }],
  ['matrix', { kind: 'matrix', key: 'values' }, { values: [['Ann', 'AAAAA-11111']] }],
  ['bare matrix', { kind: 'matrix', key: undefined }, [['Ann', 'AAAAA-11111']]],
  ['records', { kind: 'records', upsert: undefined }, { records: [{ fields: row }] }],
])('%s', (_, wanted, body) => {
  expect(shape(wanted)).toEqual({ method: 'POST', url, body });
});

describe('an upsert uses our reference', () => {
  test('Airtable', () => {
    expect(shape({ kind: 'records', upsert: 'airtable' })).toEqual({
      method: 'PATCH',
      url,
      body: { performUpsert: { fieldsToMergeOn: ['Ref'] }, records: [{ fields: row }] },
    });
  });

  test('Grist', () => {
    expect(shape({ kind: 'records', upsert: 'grist' })).toEqual({
      method: 'PUT',
      url,
      body: { records: [{ require: { Ref: 'AAAAA-11111' }, fields: { 'Full name': 'Ann' } }] },
    });
  });
});

describe('cells are sent as raw values, where the service has an option for it', () => {
  test('SheetDB', () => {
    const { body } = shape({ kind: 'wrapped', key: 'data', isList: true }, { isRaw: true });
    expect(body).toEqual({ data: [row], mode: 'RAW' });
  });

  test('Google Sheets, also when its URL says otherwise', () => {
    for (const query of ['', '?valueInputOption=USER_ENTERED']) {
      const google = `https://sheets.example/v4:append${query}`;
      const shaped = shape({ kind: 'matrix', key: 'values' }, { isRaw: true, url: google });
      expect(shaped.url).toBe('https://sheets.example/v4:append?valueInputOption=RAW');
    }
  });
});

test('every adapter escapes and maps every field to its column', () => {
  const shapes: SheetAdapter[] = [
    { kind: 'flat' },
    { kind: 'script' },
    { kind: 'wrapped', key: 'data', isList: true },
    { kind: 'wrapped', key: '__proto__', isList: false },
    { kind: 'matrix', key: 'values' },
    { kind: 'matrix', key: undefined },
    { kind: 'records', upsert: undefined },
    { kind: 'records', upsert: 'airtable' },
    { kind: 'records', upsert: 'grist' },
  ];
  const text = fc.string({ unit: 'grapheme' });
  const words = fc.record({ name: text, email: text, message: text, service: text });
  const map = fc
    .tuple(
      fc.shuffledSubarray([...fields]),
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 7, maxLength: 7 }),
    )
    .map(([some, names]): Columns => {
      const all = some.includes('reference') ? some : [...some, 'reference' as const];
      return all.map((field, index) => ({ field, column: names[index] ?? '' }));
    });
  fc.assert(
    fc.property(words, map, fc.constantFrom(...shapes), fc.boolean(), (fieldsOf, wanted, kind, isRaw) => {
      const message = { ...payload, ...fieldsOf };
      const { body } = adaptRow(
        { ...service, columns: wanted, adapter: kind, isRaw },
        createRow(message, wanted),
      );
      const values = { ...message, received: message.receivedAt };
      const found = new Map(cellsOf(JSON.parse(body), wanted));
      for (const { field, column } of wanted) expect(found.get(column)).toBe(escapeFormula(values[field]));
      expect(found.size).toBe(wanted.length);
    }),
  );
});

/** Every cell of a body, wherever its shape has put it. */
function cellsOf(body: unknown, wanted: Columns): [string, unknown][] {
  const {
    performUpsert: _,
    mode: __,
    ...rest
  } = Array.isArray(body) ? { rows: body } : (body as object & Body);
  let one: unknown = Object.values(rest)[0];
  if (Object.values(rest).some(value => typeof value === 'string')) one = rest;
  while (Array.isArray(one) && typeof one[0] === 'object') one = one[0];
  if (Array.isArray(one)) return wanted.map(({ column }, index) => [column, one[index]]);
  const record = one as { fields?: object; require?: object };
  if (typeof record.fields !== 'object') return Object.entries(record);
  return [...Object.entries(record.fields), ...Object.entries(record.require ?? {})];
}

type Body = { performUpsert?: unknown; mode?: unknown };
