import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../../../core/file-lock.ts';
import { syncFolder, undefinedIfMissing } from '../../../core/files.ts';
import { type FilesDeps, type Outcome, retryLater } from '../../../core/outbox/delivery.ts';
import type { OwnerPayload, OwnerReceiver } from '../payloads.ts';
import { ensureFileAndFindRow, formatRow, header, type ReadSheetMessages } from './messages-file.ts';
import { sheetType } from './sheet-type.ts';

export type CsvFileDeps = FilesDeps & { messages: ReadSheetMessages };

export function createCsvFileReceiver({ dataDir, checkDiskSpace, messages }: CsvFileDeps): OwnerReceiver {
  const path = join(dataDir, 'messages.csv');
  /** The file's state after this process's last write; if it differs, the file is inspected before the next row. */
  let lastStamp: string | undefined;

  const locked = <T>(work: () => Promise<T>) => withFileLock(`${path}.lock`, work);

  async function append(payload: OwnerPayload): Promise<Outcome> {
    const isUnchanged = lastStamp !== undefined && lastStamp === (await readFileStamp(path));
    lastStamp = undefined;
    if (!isUnchanged && (await ensureFileAndFindRow(path, messages, payload))) return { kind: 'delivered' };
    await using file = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
    const outcome = await write(file, formatRow(payload));
    if (outcome.kind === 'delivered') lastStamp = await readFileStamp(path);
    return outcome;
  }

  async function write(file: FileHandle, row: string): Promise<Outcome> {
    const { size } = await file.stat();
    const bytes = Buffer.from(size === 0 ? header + row : row);
    let written = 0;
    try {
      written = (await file.write(bytes)).bytesWritten;
      if (written < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
      await file.sync();
      if (size === 0) await syncFolder(dataDir);
      return { kind: 'delivered' };
    } catch (error) {
      if (written > 0) await file.truncate(size).catch(() => undefined);
      return explain(error as NodeJS.ErrnoException);
    }
  }

  return {
    ...sheetType,
    destination: path,
    concurrency: 1,
    perSecond: 1000,
    isIdempotent: false,
    isLocal: true,
    ...(checkDiskSpace && { checkDiskSpace }),
    deliver: (payload, { signal }) =>
      locked(async () => (signal.aborted ? stopped : append(payload))).catch(explain),
    find: payload => locked(() => ensureFileAndFindRow(path, messages, payload)),
  };
}

async function readFileStamp(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(undefinedIfMissing);
  return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs}`;
}

function explain({ code = 'unknown error' }: NodeJS.ErrnoException): Outcome {
  return retryLater({ code: 'file-not-written', file: 'messages.csv', cause: code }, false);
}

const stopped = retryLater({ code: 'stopped-writing' }, false);
