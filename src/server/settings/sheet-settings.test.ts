import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultColumns } from '../../deliveries/sheet/sheet-settings.ts';
import { createSettingsReader, type Environment } from './settings-reader.ts';
import { readSheetSettings } from './sheet-settings.ts';

const url = 'https://sheets.example/api/1';

function read(env: Environment) {
  const reader = createSettingsReader(env);
  const settings = readSheetSettings(reader);
  expect(reader.errors).toEqual([]);
  return settings;
}

function errors(env: Environment): string[] {
  const reader = createSettingsReader(env);
  readSheetSettings(reader);
  return reader.errors;
}

test('without a URL the sheet is a file', () => {
  expect(read({})).toEqual({ kind: 'file' });
  expect(read({ SHEET_URL: ' ', SHEET_SHAPE: '' })).toEqual({ kind: 'file' });
});

test('a URL is enough: flat, exactly 200, one a second, cells not interpreted', () => {
  expect(read({ SHEET_URL: url })).toEqual({
    kind: 'service',
    url,
    adapter: { kind: 'flat' },
    columns: defaultColumns,
    auth: undefined,
    lookupUrl: undefined,
    success: { statuses: [200], text: undefined },
    isRaw: true,
    perSecond: 1,
  });
});

test('every sheet setting is read from the environment', () => {
  expect(
    read({
      SHEET_URL: url,
      SHEET_SHAPE: 'records',
      SHEET_UPSERT: 'airtable',
      SHEET_FIELDS: 'name=Full name, reference = Ref',
      SHEET_AUTH: 'Authorization: Bearer abc.DEF=',
      SHEET_LOOKUP_URL: `${url}?filter={reference}`,
      SHEET_SUCCESS: '200, 201',
      SHEET_SUCCESS_BODY: '"ok"',
      SHEET_RAW: 'off',
      SHEET_RATE: '5',
    }),
  ).toEqual({
    kind: 'service',
    url,
    adapter: { kind: 'records', upsert: 'airtable' },
    columns: [
      { field: 'name', column: 'Full name' },
      { field: 'reference', column: 'Ref' },
    ],
    auth: { name: 'Authorization', value: 'Bearer abc.DEF=' },
    lookupUrl: `${url}?filter={reference}`,
    success: { statuses: [200, 201], text: '"ok"' },
    isRaw: false,
    perSecond: 5,
  });
});

test.each([
  ['wrapped', '', { kind: 'wrapped', key: 'data', isList: true }],
  ['wrapped', 'sheet1', { kind: 'wrapped', key: 'sheet1', isList: false }],
  ['wrapped', 'rows[]', { kind: 'wrapped', key: 'rows', isList: true }],
  ['matrix', '', { kind: 'matrix', key: 'values' }],
  ['matrix', '-', { kind: 'matrix', key: undefined }],
  ['records', '', { kind: 'records', upsert: undefined }],
  ['script', '', { kind: 'script' }],
])('the adapter %s with the wrap "%s"', (SHEET_SHAPE, SHEET_WRAP, adapter) => {
  expect(read({ SHEET_URL: url, SHEET_SHAPE, SHEET_WRAP })).toMatchObject({ adapter });
});

test('a script succeeds only if its response confirms the row', () => {
  const settings = read({ SHEET_URL: url, SHEET_SHAPE: 'script' });
  expect(settings).toMatchObject({ success: { statuses: [200], text: '"stored":true' } });
});

test('the credential may be in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheet-'));
  const file = join(folder, 'auth');
  writeFileSync(file, 'X-Api-Key: k-1\n');
  expect(read({ SHEET_URL: url, SHEET_AUTH_FILE: file })).toMatchObject({
    auth: { name: 'X-Api-Key', value: 'k-1' },
  });
  rmSync(folder, { recursive: true });
});

test.each(['http://localhost:8080/x', 'http://127.0.0.1/', 'http://[::1]:1234/'])(
  'plain http is accepted for a loopback address: %s',
  SHEET_URL => {
    expect(read({ SHEET_URL })).toMatchObject({ kind: 'service' });
  },
);

describe('an error', () => {
  test.each([
    'SHEET_SHAPE',
    'SHEET_WRAP',
    'SHEET_UPSERT',
    'SHEET_AUTH',
    'SHEET_FIELDS',
    'SHEET_LOOKUP_URL',
    'SHEET_SUCCESS',
    'SHEET_SUCCESS_BODY',
    'SHEET_RAW',
    'SHEET_RATE',
  ])('is %s without SHEET_URL', name => {
    expect(errors({ [name]: 'secret' })).toEqual([`${name} is set, which means nothing without SHEET_URL`]);
  });

  test.each([
    ['http://sheets.example/'],
    ['http://localhost.example/'],
    ['ftp://sheets.example/'],
    ['https://me:secret@sheets.example/'],
    ['https://me@sheets.example/'],
    ['sheets.example'],
  ])('is the address %s', SHEET_URL => {
    const found = errors({ SHEET_URL });
    expect(found).toEqual([expect.stringMatching(/^SHEET_URL is /)]);
    expect(found.join()).not.toContain('secret');
  });

  test.each([
    ['SHEET_SHAPE', 'round'],
    ['SHEET_FIELDS', 'name=Name'],
    ['SHEET_FIELDS', 'reference=A,name=A'],
    ['SHEET_FIELDS', 'reference=A,reference=B'],
    ['SHEET_FIELDS', 'reference=A,colour=B'],
    ['SHEET_FIELDS', 'reference=A,name='],
    ['SHEET_FIELDS', 'reference'],
    ['SHEET_AUTH', 'Bearer abc'],
    ['SHEET_AUTH', 'Authorization:'],
    ['SHEET_AUTH', 'Authorization: a\r\nX-Other: b'],
    ['SHEET_AUTH', 'Authorization: schlüssel'],
    ['SHEET_AUTH', 'Content-Type: text/plain'],
    ['SHEET_AUTH', 'Host: elsewhere.example'],
    ['SHEET_LOOKUP_URL', `${url}?Reference=1`],
    ['SHEET_LOOKUP_URL', 'https://{reference}.example/'],
    ['SHEET_LOOKUP_URL', `${url}#{reference}`],
    ['SHEET_LOOKUP_URL', 'https://other.example/{reference}'],
    ['SHEET_LOOKUP_URL', 'https://me:you@sheets.example/{reference}'],
    ['SHEET_SUCCESS', '302'],
    ['SHEET_SUCCESS', '200,'],
    ['SHEET_SUCCESS', 'ok'],
    ['SHEET_SUCCESS_BODY', 'x'.repeat(201)],
    ['SHEET_RAW', 'yes'],
    ['SHEET_RATE', '0'],
    ['SHEET_RATE', '1001'],
    ['SHEET_RATE', '1.5'],
    ['SHEET_WRAP', 'data'],
    ['SHEET_UPSERT', 'airtable'],
  ])('is %s=%s', (name, value) => {
    expect(errors({ SHEET_URL: url, [name]: value })).toEqual([expect.stringMatching(`^${name} is `)]);
  });

  test.each([
    [{ SHEET_SHAPE: 'wrapped', SHEET_WRAP: 'a[b]' }, /^SHEET_WRAP is 'a\[b\]'/],
    [{ SHEET_SHAPE: 'matrix', SHEET_WRAP: 'values[]' }, /^SHEET_WRAP is 'values\[\]'/],
    [{ SHEET_SHAPE: 'records', SHEET_UPSERT: 'baserow' }, /^SHEET_UPSERT is 'baserow'/],
    [
      { SHEET_URL: 'http://localhost/', SHEET_SHAPE: 'script' },
      /^SHEET_SHAPE is script, which needs an https/,
    ],
  ])('is the combination %o', (env, line) => {
    expect(errors({ SHEET_URL: url, ...env })).toEqual([expect.stringMatching(line)]);
  });

  test('shows no credential, and hides no other error', () => {
    const found = errors({ SHEET_URL: 'nowhere', SHEET_AUTH: 'sesame', SHEET_RATE: 'fast' });
    expect(found).toHaveLength(3);
    expect(found.join()).not.toContain('sesame');
  });
});
