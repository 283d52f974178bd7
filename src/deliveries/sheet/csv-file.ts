import { randomUUID } from 'node:crypto';
import { constants, type FileHandle, link, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatRecord, readChunks, readRecords } from '../../lib/csv.ts';
import { safeWithin } from '../../lib/formula-safe.ts';
import type { Failure } from '../call.ts';
import type { FilesDeps, Outcome, Receiver } from '../delivery.ts';
import { type Room, shorten } from '../shorten.ts';
import { mendFile } from './mend-file.ts';
import { createRow, referenceCell } from './row.ts';
import { defaultColumns } from './settings.ts';

const header = `\ufeff${formatRecord(defaultColumns.map(({ column }) => column))}`;

/** The sheet as a file in the data folder. Its owner may open, edit, replace or remove it at any time. */
export function createCsvFile({ dataDir, lowSpace }: FilesDeps): Receiver {
  const path = join(dataDir, 'messages.csv');
  const inTurn = createQueue();
  /** The file as it was left; a file that looks otherwise is read through before anything is added to it. */
  let left: string | undefined;

  async function mend(file: FileHandle): Promise<void> {
    if (left === (await fingerprint(file))) return;
    await mendFile(file, { columns: defaultColumns.length, aside: `${path}.torn` });
    left = await fingerprint(file);
  }

  async function append(record: string): Promise<Outcome> {
    let outcome: Outcome | undefined;
    try {
      await using file = await openFile(path).catch(error => {
        if (error.code !== 'ENOENT') throw error;
        return createFile(path).then(() => openFile(path));
      });
      await mend(file);
      left = undefined;
      outcome = await write(file, path, record);
      if (outcome.kind === 'delivered') left = await fingerprint(file);
      return outcome;
    } catch (error) {
      return outcome ?? failed(explain(error), false);
    }
  }

  return {
    name: 'sheet',
    place: path,
    concurrency: 1,
    perSecond: 1000,
    isUpserting: false,
    ...(lowSpace && { lowSpace }),
    deliver: (parcel, { signal }) =>
      inTurn(async () => {
        if (signal.aborted) return failed('stopped before it was written', false);
        const cells = createRow(parcel, defaultColumns).map(([, cell]) => shorten(cell, writeCell, cellRoom));
        return append(formatRecord(cells.map(safeWithin)));
      }),
    find: parcel =>
      inTurn(async () => {
        await using file = await openFile(path).catch(error => {
          if (error.code !== 'ENOENT') throw error;
          return undefined;
        });
        if (!file) return false;
        await mend(file);
        // A row whose writer was killed may be in memory only; what is said to be there has to stay there.
        await file.sync();
        return await holds(file, referenceCell(parcel));
      }),
  };
}

/** Quotes are doubled and formulas get an apostrophe: with six cells a row stays within 1.5 times its message and 8 KB. */
const cellRoom: Room = { factor: 1.5, slack: 1000 };

function writeCell(cell: string): string {
  return formatRecord([safeWithin(cell)]);
}

function openFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDWR | constants.O_APPEND);
}

/** With its header or not at all, also when two processes begin at once. */
async function createFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(draft, header, { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  // Windows has no handle for a folder, and no need of one.
  if (process.platform === 'win32') return;
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
}

/** One write and one sync; what does not come through whole is taken back. */
async function write(file: FileHandle, path: string, record: string): Promise<Outcome> {
  const { size, ino } = await file.stat();
  const bytes = Buffer.from(size === 0 ? header + record : record);
  let written = 0;
  try {
    written = (await file.write(bytes)).bytesWritten;
    if (written < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
    await file.sync();
  } catch (error) {
    return failed(explain(error), !(await takeBack(file, size, written)));
  }
  const now = await stat(path).catch(() => undefined);
  if (now?.ino === ino) return { kind: 'delivered' };
  return failed('messages.csv was replaced while a row was written to it', true);
}

/** Whether nothing of the row is left. A row that another process has added meanwhile is not touched. */
async function takeBack(file: FileHandle, size: number, written: number): Promise<boolean> {
  if (written === 0) return true;
  try {
    if ((await file.stat()).size !== size + written) return false;
    await file.truncate(size);
    await file.sync();
    return true;
  } catch {
    return false;
  }
}

/** By the column that is called so, where the owner has moved it, or by the last one, where we write it. */
async function holds(file: FileHandle, reference: string): Promise<boolean> {
  let column: number | undefined;
  for await (const { cells } of readRecords(readChunks(file))) {
    column ??= cells.indexOf('Reference');
    if (cells.at(-1) === reference || cells[column] === reference) return true;
  }
  return false;
}

async function fingerprint(file: FileHandle): Promise<string> {
  const { dev, ino, size } = await file.stat();
  return `${dev} ${ino} ${size}`;
}

function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

const reasons = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'it may not grow any further'],
  ['EACCES', 'there is no permission to write it'],
  ['EPERM', 'there is no permission to write it'],
  ['EROFS', 'the disk is read-only'],
  ['EBUSY', 'another program holds it'],
  ['EISDIR', 'it is a folder'],
  ['EIO', 'the disk reports an error'],
]);

function explain(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return `messages.csv cannot be written: ${reasons.get(code) ?? code}`;
}

function failed(why: string, isAmbiguous: boolean): Failure {
  return { kind: 'failed', why, isAmbiguous };
}
