import { mkdtempSync, rmSync } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { formatRecord } from '../../lib/csv.ts';
import { mendFile } from './mend-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'mend-'));
const path = join(folder, 'messages.csv');
const aside = `${path}.torn`;
afterAll(() => rmSync(folder, { recursive: true }));

const header = ['Received', 'Name', 'Message', 'Reference'];
const nasty = fc.string({
  unit: fc.constantFrom('"', ',', '\r', '\n', 'a', 'é', '👍🏽', ' ', "'"),
  maxLength: 12,
});
const row = fc.tuple(nasty, nasty, nasty, fc.stringMatching(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/));

test('cut at any byte, a file keeps every finished row and nothing else', async () => {
  const rows = [
    ['2026-11-15T08:00:00.000Z', 'Zoë "Z"', 'one,\r\n"two"\r\n', 'AAAAA-11111'],
    ['2026-11-15T09:00:00.000Z', '', '"', 'BBBBB-22222'],
    ['2026-11-15T10:00:00.000Z', '👩🏽‍💻', '""\n', 'CCCCC-33333'],
  ];
  const { length } = Buffer.from(write(rows));
  for (let cut = 0; cut <= length; cut++) await assertMended(rows, cut);
});

test('whatever is written in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 4 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (rows, where) => assertMended(rows, Math.floor(where * Buffer.from(write(rows)).length)),
    ),
  );
});

test.each([
  [
    'a column more in the header',
    'A,B,C,Reference,Status\r\n1,2,3,"R"',
    'A,B,C,Reference,Status\r\n1,2,3,"R"\r\n',
  ],
  ['a column less', 'A,Reference\n1,R', 'A,Reference\n1,R\r\n'],
  ['an empty file', '', ''],
  ['a line that ends', 'a\n', 'a\n'],
])('what its owner made of it is kept: %s', async (_, before, after) => {
  await writeFile(path, before);
  await mend();
  expect(await readFile(path, 'utf8')).toBe(after);
});

test('what is taken out is set aside: it may be a line of its owner', async () => {
  const whole = write([['a', 'b', 'c', 'AAAAA-11111']]);
  await rm(aside, { force: true });
  await writeFile(path, `${whole}2026-02-02,Anna,"called back`);
  await mend();
  expect(await readFile(path, 'utf8')).toBe(whole);
  expect(await readFile(aside, 'utf8')).toBe('2026-02-02,Anna,"called back\r\n');
});

test('a row that somebody is still writing is left to them', async () => {
  const whole = write([['a', 'b', 'c', 'AAAAA-11111']]);
  await writeFile(path, whole.slice(0, -9));
  await using file = await open(path, 'a+');
  const mending = mendFile(file, { columns: header.length, aside, settleMs: 1500 });
  await new Promise(resolve => setTimeout(resolve, 50));
  await writeFile(path, whole.slice(-9), { flag: 'a' });
  await mending;
  expect(await readFile(path, 'utf8')).toBe(whole);
});

async function assertMended(rows: string[][], cut: number): Promise<void> {
  await writeFile(path, Buffer.from(write(rows)).subarray(0, cut));
  await mend();
  const text = await readFile(path, 'utf8');
  const all = [header, ...rows];
  // A row is finished once its last quote is there: its newline is all that may be missing.
  const isFinished = (_: unknown, index: number) =>
    Buffer.from(
      all
        .slice(0, index + 1)
        .map(formatRecord)
        .join(''),
    ).length -
      2 <=
    cut;
  expect(parse(text, { record_delimiter: '\r\n' })).toEqual(all.filter(isFinished));
  expect(text === '' || text.endsWith('"\r\n')).toBe(true);
}

function write(rows: string[][]): string {
  return [header, ...rows].map(formatRecord).join('');
}

async function mend(): Promise<void> {
  await using file = await open(path, 'a+');
  await mendFile(file, { columns: header.length, aside, settleMs: 0 });
}
