import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { formatRecord } from '../../lib/csv.ts';
import { formulaSafe } from '../../lib/formula-safe.ts';
import { type ImportRow, type ListColumn, listColumns } from './import-row.ts';

/** A file that cannot be read as a list at all, in words for its owner. */
export class UnreadableList extends Error {}

const longestFile = 64 * 1024 * 1024;

/** What other programs call the same. */
const otherNames: Record<string, ListColumn> = {
  email: 'address',
  e_mail: 'address',
  email_address: 'address',
  consented_at: 'asked_at',
  consent_at: 'asked_at',
};

/** UTF-8 with a byte order mark, as spreadsheet programs know it without being asked. */
export async function* writeList(rows: AsyncIterable<Record<ListColumn, string>>): AsyncGenerator<string> {
  let text = `\uFEFF${formatRecord(listColumns)}`;
  for await (const row of rows) {
    text += formatRecord(listColumns.map(column => guard(row[column])));
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Reads a list as any spreadsheet program writes it, a part at a time: commas, semicolons or tabs, columns by name. */
export async function* readList(file: string): AsyncGenerator<ImportRow> {
  const found = await stat(file).catch(error => unreadable(error.message));
  if (found.isDirectory()) unreadable('it is a folder');
  const { size } = found;
  if (size > longestFile) unreadable('it is longer than 64 MB; import it in parts');
  const source = Readable.from(decode(file));
  const parser = source.pipe(parse({ ...parsing, delimiter: await findDelimiter(file) }));
  source.once('error', error => parser.destroy(error));
  let columns: (ListColumn | undefined)[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      if (columns) yield { line: firstLine(record, info.lines), cells: nameCells(record, columns) };
      else columns = readHead(record);
    }
  } catch (error) {
    if (error instanceof CsvError) unreadable(error.message);
    throw error;
  } finally {
    source.destroy();
  }
  if (!columns) unreadable('it is empty');
}

type Parsed = { record: string[]; info: { lines: number } };

const parsing = {
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
  max_record_size: 128 * 1024,
} as const;

async function* decode(file: string): AsyncGenerator<string> {
  // It takes the byte order mark off.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(file)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) unreadable('it is not text in UTF-8; save it as "CSV UTF-8"');
    unreadable((error as Error).message);
  }
}

/** Whatever separates the names of the columns: within cells the others are only signs. */
async function findDelimiter(file: string): Promise<string> {
  let head = '';
  for await (const part of decode(file)) {
    head += part;
    if (head.includes('\n') || head.length > 65_536) break;
  }
  const [line = ''] = head.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/);
  const often = (sign: string) => line.split(sign).length;
  return [',', ';', '\t'].toSorted((a, b) => often(b) - often(a))[0] as string;
}

function readHead(names: string[]): (ListColumn | undefined)[] {
  const columns = names.map(name => {
    const plain = name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_');
    return (
      listColumns.find(column => column === plain) ??
      (Object.hasOwn(otherNames, plain) ? otherNames[plain] : undefined)
    );
  });
  if (!columns.includes('address')) unreadable("its first line names no column 'email' or 'address'");
  return columns;
}

/** Of two columns that are the same to us, the first that says something counts. Words are kept to the letter. */
function nameCells(record: string[], columns: (ListColumn | undefined)[]): ImportRow['cells'] {
  const cells = Object.fromEntries(listColumns.map(column => [column, ''])) as ImportRow['cells'];
  for (const [index, column] of columns.entries()) {
    const cell = unguard(record[index] ?? '');
    if (column) cells[column] ||= column === 'wording' ? cell : cell.trim();
  }
  return cells;
}

/** The parser counts to the end of a record; its owner looks where it begins. */
function firstLine(record: string[], lastLine: number): number {
  return lastLine - record.join('').split('\n').length + 1;
}

/** An apostrophe more for what has one already, so that taking one off gives back what was there. */
function guard(cell: string): string {
  return isGuarded(`'${cell}`) ? `'${cell}` : cell;
}

function unguard(cell: string): string {
  return isGuarded(cell) ? cell.slice(1) : cell;
}

function isGuarded(cell: string): boolean {
  const bare = cell.replace(/^'+/, '');
  return bare !== cell && formulaSafe(bare) !== bare;
}

function unreadable(why: string): never {
  throw new UnreadableList(why);
}
