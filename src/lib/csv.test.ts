import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import { formatRecord, readRecords } from './csv.ts';

function read(text: string): Promise<string[][]> {
  const path = join(createTempFolder(), 'file.csv');
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

test.each(['Key;Name\nR1;"a;b"\n', 'Name\tKey\r\nAnn, B\tR1\r\n', '\ufeffName,"Key"\r\n\r\nAnn,R1'])(
  'detects the delimiter of %j',
  async text => {
    const [header, row] = await read(text);
    expect([header?.length, row?.length]).toEqual([2, 2]);
  },
);
