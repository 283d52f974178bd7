import { appendFile, type FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type CsvRecord, readChunks, readRecords } from '../../lib/csv.ts';

/** Longer than a row takes to be written: what is torn for so long, nobody is writing any more. */
const longestWriteMs = 250;

/**
 * Makes a file whole that a power cut or a killed process left torn: an unfinished record at its end, which was never
 * delivered, is taken out and set aside, for it may as well be a line of the owner's; a finished one gets its newline.
 */
export async function mendFile(
  file: FileHandle,
  { columns, aside, settleMs = longestWriteMs }: { columns: number; aside: string; settleMs?: number },
): Promise<void> {
  for (;;) {
    const { size } = await file.stat();
    const torn = await findTorn(file, columns);
    if (!torn) return;
    await wait(settleMs);
    // Another process is at work: look again.
    if ((await file.stat()).size !== size) continue;
    if (torn.isFinished) await file.write((await endsInReturn(file, size)) ? '\n' : '\r\n');
    else await takeOut(file, torn.start, size, aside);
    await file.sync();
    return;
  }
}

async function takeOut(file: FileHandle, start: number, size: number, aside: string): Promise<void> {
  const { buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  await appendFile(aside, Buffer.concat([buffer, Buffer.from('\r\n')]), { mode: 0o600, flush: true });
  await file.truncate(start);
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
