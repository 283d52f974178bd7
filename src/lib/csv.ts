import type { FileHandle } from 'node:fs/promises';

/** A record as it stands in the file, by bytes: each character of a cell is one byte of it. */
export type CsvRecord = {
  cells: string[];
  start: number;
  /** How it ends: with its newline, or where the file does, perhaps within a quoted cell. */
  end: 'newline' | 'file' | 'open quote';
};

/** Every cell quoted: no program has to guess where one ends. */
export function formatRecord(cells: readonly string[]): string {
  return `${cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/**
 * Reads a file as spreadsheet programs write it: cells with or without quotes, with commas, semicolons or tabs between
 * them. Bytes rather than characters, so that places in the file are exact even where a character was cut in two.
 */
export async function* readRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  let cells: string[] = [];
  let cell = '';
  let state: 'begin' | 'plain' | 'quoted' | 'quote' = 'begin';
  let start = 0;
  let offset = 0;
  for await (const chunk of chunks) {
    const text = withoutMark(chunk.toString('latin1'), offset);
    for (let at = 0; at < text.length; ) {
      // Whole runs at a time: a file may have a million rows.
      const end = state === 'quoted' ? endOfQuoted(text, at) : endOfPlain(text, at);
      if (end > at) {
        cell += text.slice(at, end);
        if (state !== 'quoted') state = 'plain';
        at = end;
        continue;
      }
      const character = text[at] as string;
      at++;
      if (state === 'quoted') {
        state = 'quote';
      } else if (character === '"') {
        if (state === 'begin') state = 'quoted';
        else {
          cell += character;
          state = state === 'quote' ? 'quoted' : 'plain';
        }
      } else if (character === '\n') {
        yield { cells: [...cells, cell], start, end: 'newline' };
        cells = [];
        cell = '';
        state = 'begin';
        start = offset + at;
      } else if (isSeparator(character)) {
        cells.push(cell);
        cell = '';
        state = 'begin';
      }
    }
    offset += text.length;
  }
  if (offset === start) return;
  const end = state === 'quoted' ? 'open quote' : 'file';
  yield { cells: [...cells, cell], start, end };
}

/** From its beginning to where it ends now, or to `upTo`, whatever was read or written through the same handle before. */
export async function* readChunks(file: FileHandle, upTo?: number): AsyncGenerator<Buffer> {
  const size = upTo ?? (await file.stat()).size;
  for (let position = 0; position < size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(65_536, size - position));
    const { bytesRead } = await file.read({ buffer, position });
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const skipped = '\0';

/** The byte order mark belongs to no cell. */
function withoutMark(text: string, offset: number): string {
  return offset === 0 && text.startsWith('\xef\xbb\xbf') ? skipped.repeat(3) + text.slice(3) : text;
}

function endOfQuoted(text: string, at: number): number {
  const quote = text.indexOf('"', at);
  return quote < 0 ? text.length : quote;
}

const plainRun = /[^",;\t\n\r\0]*/y;

function endOfPlain(text: string, at: number): number {
  plainRun.lastIndex = at;
  plainRun.test(text);
  return plainRun.lastIndex;
}

function isSeparator(character: string): boolean {
  return character === ',' || character === ';' || character === '\t';
}
