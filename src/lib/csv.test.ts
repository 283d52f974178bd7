import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvRecord, formatRecord, readRecords } from './csv.ts';

const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('"', ',', '\r', '\n', ';', '\t', "'", '=', 'é', 'א', '👩🏽‍💻', '\u202e', ' '),
  }),
);
const table = fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 8 });

test('any text comes back from a real CSV parser as it went in', () => {
  fc.assert(
    fc.property(table, rows => {
      expect(parse(rows.map(formatRecord).join(''), { record_delimiter: '\r\n' })).toEqual(rows);
    }),
  );
});

test('and from our own, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 50 }), async (rows, size) => {
      const records = await readAll(rows.map(formatRecord).join(''), size);
      expect(records.map(({ cells }) => cells.map(decoded))).toEqual(rows);
      expect(records.every(({ end }) => end === 'newline')).toBe(true);
    }),
  );
});

describe('what spreadsheet programs make of the file is read too', () => {
  test.each([
    ['without quotes', 'a,b\r\n1,2\r\n'],
    ['with line feeds only', 'a,b\n1,2\n'],
    ['with semicolons', 'a;b\r\n1;2\r\n'],
    ['with tabs', 'a\tb\r\n1\t2\r\n'],
    ['with a byte order mark', '\ufeff"a",b\r\n1,2\r\n'],
    ['without a last newline', 'a,b\r\n1,2'],
  ])('%s', async (_, text) => {
    expect((await readAll(text)).map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });
});

test('it is told how the last record ends, and where it begins', async () => {
  expect(await readAll('"ä"\r\n"b"')).toMatchObject([
    { start: 0, end: 'newline' },
    { start: 6, end: 'file' },
  ]);
  expect((await readAll('"a"\r\n"b\r\n')).at(-1)).toMatchObject({ start: 5, end: 'open quote' });
  expect((await readAll('"a"\r\n"b""')).at(-1)).toMatchObject({ end: 'open quote' });
  expect(await readAll('')).toEqual([]);
});

async function readAll(text: string, size = 65_536): Promise<CsvRecord[]> {
  return Array.fromAsync(readRecords(inPieces(Buffer.from(text), size)));
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
