import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type ImportRow, type ListColumn, listColumns } from './import-row.ts';
import { readList, UnreadableList, writeList } from './list-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-list-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(content: string | Uint8Array): Promise<ImportRow[]> {
  const file = join(folder, 'list.csv');
  writeFileSync(file, content);
  return Array.fromAsync(readList(file));
}

async function write(rows: Record<ListColumn, string>[]): Promise<string> {
  const parts = await Array.fromAsync(
    writeList(
      (async function* () {
        yield* rows;
      })(),
    ),
  );
  return parts.join('');
}

const empty = Object.fromEntries(listColumns.map(column => [column, ''])) as Record<ListColumn, string>;

describe('a list', () => {
  test('comes back as it was written, whatever it holds', async () => {
    // What a formula begins with, what tears cells apart, and what marks a cell as text already.
    const nasty = fc.string({ unit: fc.constantFrom(...'=+-@\'"\t\n;, aé') });
    const words = fc.oneof(nasty, fc.string({ unit: 'grapheme' })).map(one => one.replaceAll('\r', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(words, words), { maxLength: 5 }), async cells => {
        const rows = cells.map(([address, wording]) => ({ ...empty, address: address.trim(), wording }));
        expect((await read(await write(rows))).map(row => row.cells)).toEqual(rows);
      }),
      { numRuns: 100 },
    );
  });

  test('is never a formula in a spreadsheet', async () => {
    const written = await write([{ ...empty, address: '=1+2@example.com', wording: '@SUM(1)' }]);
    expect(written.startsWith('\uFEFF"address"')).toBe(true);
    expect(written).toContain(`"'=1+2@example.com"`);
    expect(written).toContain(`"'@SUM(1)"`);
  });
});

describe('a file of another program', () => {
  test.each([
    ['commas', 'Name,E-Mail,Consented At\nAnn,a@example.com,2025-01-02\n'],
    [
      'semicolons and a byte order mark',
      '\uFEFFEMAIL;consented_at;note\r\n a@example.com ;2025-01-02;"x, y"\r\n\r\n',
    ],
    ['tabs', 'asked_at\taddress\n2025-01-02\ta@example.com'],
    ['quotes, and commas in the names', '"email","asked_at","a;b;c"\n"a@example.com","2025-01-02","x"\n'],
  ])('with %s', async (_, content) => {
    const [row, ...rest] = await read(content);
    expect(row).toEqual({ line: 2, cells: { ...empty, address: 'a@example.com', asked_at: '2025-01-02' } });
    expect(rest).toEqual([]);
  });

  test('is counted by the lines its owner sees', async () => {
    const rows = await read('email,wording\na@example.com,"two\nlines"\n\nb@example.com,one\n');
    expect(rows.map(({ line }) => line)).toEqual([2, 5]);
  });

  test.each([
    ['no column for the address', 'name,city\nAnn,Ulm\n'],
    ['nothing', ''],
    ['an open quote', 'email\n"a@example.com\n'],
    ['one cell without end', `email\n"${'x'.repeat(300_000)}"\n`],
    ['another encoding', Buffer.from('email,name\na@example.com,Zo\xeb\n', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFemail\na@example.com\n', 'utf16le')],
  ])('that has %s cannot be read', async (_, content) => {
    await expect(read(content)).rejects.toBeInstanceOf(UnreadableList);
  });
});
