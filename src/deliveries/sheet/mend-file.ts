import type { FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type CsvRecord, readChunks, readRecords } from './csv.ts';

/** Longer than a row takes to be written: what is torn for so long, nobody is writing any more. */
const longestWriteMs = 250;

/**
 * Makes a file whole that a power cut or a killed process left torn: an unfinished record at its end is cut off, for it
 * was never delivered; a finished one gets its newline.
 */
export async function mendFile(file: FileHandle, columns: number, settleMs = longestWriteMs): Promise<void> {
  for (;;) {
    const { size } = await file.stat();
    const torn = await findTorn(file, columns);
    if (!torn) return;
    await wait(settleMs);
    // Another process is at work: look again.
    if ((await file.stat()).size !== size) continue;
    if (torn.isFinished) await file.write((await endsInReturn(file, size)) ? '\n' : '\r\n');
    else await file.truncate(torn.start);
    await file.sync();
    return;
  }
}

async function findTorn(file: FileHandle, columns: number) {
  let first: CsvRecord | undefined;
  let last: CsvRecord | undefined;
  for await (const record of readRecords(readChunks(file))) {
    first ??= record;
    last = record;
  }
  if (!last || last.end === 'newline') return undefined;
  // The owner may have removed a column, or added one that our rows do not fill.
  const expected = first === last ? columns : Math.min(columns, first?.cells.length ?? 0);
  return { start: last.start, isFinished: isFinished(last, expected) };
}

/** Where the file ends with the last comma, the reference is still to come: it is never empty. */
function isFinished({ cells, end }: CsvRecord, expected: number): boolean {
  const isFilled = cells.length > expected || (cells.length === expected && cells.at(-1) !== '');
  return end === 'file' && isFilled;
}

async function endsInReturn(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0d;
}
