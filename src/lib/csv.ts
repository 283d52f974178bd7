import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { TextDecoderStream } from 'node:stream/web';
import { parse as parseStream } from 'csv-parse';
import { CsvError } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from './escape-formula.ts';

export function formatRecord(cells: readonly string[]): string {
  return stringify([[...cells]], { quoted: true, quoted_empty: true, record_delimiter: 'windows' });
}

/** The byte order mark makes spreadsheet programs read UTF-8. */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map(row => formatRecord(row.map(cell => escapeFormula(String(cell))))).join('')}`;
}

/** Detects the delimiter by looking for the named column in the header. Throws CsvError if any record cannot be read. */
export async function* readRecords(path: string, column: string): AsyncGenerator<string[]> {
  const delimiter = await findDelimiter(path, column);
  const decoder = new TextDecoderStream(await findEncoding(path));
  const parser = parseStream({ delimiter, bom: true, relax_column_count: true, skip_empty_lines: true });
  pipeline(createReadStream(path), decoder, parser, () => undefined);
  yield* parser as AsyncIterable<string[]>;
}

async function findEncoding(path: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(path)) decoder.decode(bytes, { stream: true });
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return 'windows-1252';
  }
}

async function findDelimiter(path: string, column: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
  const [line = ''] = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/);
  const names = line.replaceAll(/["\ufeff]/g, '');
  const found = [',', ';', '\t'].find(delimiter => names.split(delimiter).includes(column));
  if (!found) throw new CsvError('CSV_INVALID_COLUMN_MAPPING', `no column ${column}`);
  return found;
}
