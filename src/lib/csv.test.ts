import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CsvError } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { formatRecord, readRecords } from './csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'csv-'));
const path = join(folder, 'file.csv');
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string | Buffer): Promise<string[][]> {
  writeFileSync(path, text);
  return Array.fromAsync(readRecords(path, 'Key'));
}

test('reads back what was written', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('"', ',', ';', '\r', '\n', '\t', 'a', 'é', '👍🏽', ' ', "'", '='),
  });
  const row = fc.tuple(cell, cell);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 4 }), async rows => {
      const all = [['Key', 'b'], ...rows];
      expect(await read(`\ufeff${all.map(formatRecord).join('')}`)).toEqual(all);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['Key;Name\nR1;"a;b"\n', ';'],
  ['Name\tKey\r\nAnn, B\tR1\r\n', 'tab'],
  ['\ufeffName,Key\r\n\r\nAnn,R1', 'comma'],
  ['"Name"\t"Key"\r\n"Ann"\t"R1"\r\n', 'quoted tab'],
])('detects the delimiter of %j', async text => {
  const [header, row] = await read(text);
  expect([header?.length, row?.length]).toEqual([2, 2]);
});

test.each(['"Key"\r\n"R1"\r\n"R2', 'Key\n6" pipe\n', 'Name\nKey\n'])(
  'rejects %j, because a record would be missing',
  async text => {
    await expect(read(text)).rejects.toThrow(CsvError);
  },
);
