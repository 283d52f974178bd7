import type { FileHandle } from 'node:fs/promises';
import { type CsvRecord, readChunks, readRecords } from '../../lib/csv.ts';
import { defaultColumns } from './settings.ts';

/** A row as the owner's file has it, with its place there by bytes. */
export type SheetRow = {
  /** As people read them. */
  cells: string[];
  /** The cell of the column that is called so, wherever the owner has put it. */
  cell(column: string): string | undefined;
  indexOf(column: string): number;
  reference: string;
  start: number;
  end: number;
  /** It has its newline: nobody is writing it at this moment. */
  isWhole: boolean;
};

/** Rows up to a place in the file; the line of headings is none. */
export async function* readSheet(file: FileHandle, upTo: number): AsyncGenerator<SheetRow> {
  let columns: string[] | undefined;
  for await (const { record, end } of withEnds(readRecords(readChunks(file, upTo)), upTo)) {
    const cells = record.cells.map(decode);
    if (!columns) {
      const isHeading = cells.includes('Reference');
      columns = isHeading ? cells : defaultColumns.map(({ column }) => column);
      if (isHeading) continue;
    }
    const place = { start: record.start, end, isWhole: record.end === 'newline' };
    yield { ...createRow(cells, columns), ...place };
  }
}

function createRow(cells: string[], columns: string[]) {
  const indexOf = (column: string) => columns.indexOf(column);
  const cell = (column: string) => cells[indexOf(column)];
  return { cells, cell, indexOf, reference: cell('Reference') ?? cells.at(-1) ?? '' };
}

async function* withEnds(records: AsyncIterable<CsvRecord>, size: number) {
  let before: CsvRecord | undefined;
  for await (const record of records) {
    if (before) yield { record: before, end: record.start };
    before = record;
  }
  if (before) yield { record: before, end: size };
}

/** The reader's cells hold one character for each byte. */
function decode(cell: string): string {
  return /[\x80-\xff]/.test(cell) ? Buffer.from(cell, 'latin1').toString('utf8') : cell;
}

/** The same record with other words in some of its cells; every other byte of it stays. */
export function replaceCells(record: Buffer, change: ReadonlyMap<number, string>): Buffer {
  const text = record.toString('latin1');
  let replaced = '';
  let from = 0;
  for (const [index, { start, end }] of findCells(text).entries()) {
    const words = change.get(index);
    if (words === undefined) continue;
    const cell = Buffer.from(`"${words.replaceAll('"', '""')}"`).toString('latin1');
    replaced += text.slice(from, start) + cell;
    from = end;
  }
  return Buffer.from(replaced + text.slice(from), 'latin1');
}

/** By the same rules as the reader's. */
function findCells(record: string): { start: number; end: number }[] {
  const text = record.replace(/\r?\n$/, '');
  const cells: { start: number; end: number }[] = [];
  let start = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  let state: 'begin' | 'plain' | 'quoted' | 'quote' = 'begin';
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string;
    if (state === 'quoted') {
      if (character === '"') state = 'quote';
    } else if (character === '"' && state !== 'plain') {
      state = 'quoted';
    } else if (/[,;\t]/.test(character)) {
      cells.push({ start, end: at });
      start = at + 1;
      state = 'begin';
    } else state = 'plain';
  }
  cells.push({ start, end: text.length });
  return cells;
}
