import { type FileHandle, link, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, undefinedIfMissing } from '../../../core/files.ts';
import type { Payload } from '../../../core/outbox/delivery.ts';
import { type SizeLimit, truncateToSize } from '../../../core/outbox/truncate-to-size.ts';
import { formatRecord } from '../../../lib/csv.ts';
import { escapeInnerFormulas } from '../../../lib/escape-formula.ts';
import type { MessagePayload, OwnerPayload } from '../payloads.ts';
import { createRow, referenceCell } from './sheet-row.ts';
import { defaultColumns } from './sheet-settings.ts';

export type ReadSheetMessages = () => AsyncIterable<MessagePayload[]>;

export const header = `\ufeff${formatRecord(defaultColumns.map(({ column }) => column))}`;

/** Quotes are doubled and formulas get an apostrophe: with six cells a row stays within 1.5 times its message and 8 KB. */
const cellLimit: SizeLimit = { factor: 1.5, extraBytes: 1000 };

export function formatRow(payload: OwnerPayload): string {
  const formatCell = (cell: string) => formatRecord([escapeInnerFormulas(cell)]);
  const cells = createRow(payload, defaultColumns).map(([, cell]) =>
    truncateToSize(cell, formatCell, cellLimit),
  );
  return formatRecord(cells.map(escapeInnerFormulas));
}

/** Renames a file that its owner saved or a crash tore, and writes another from the database. Returns whether the row exists. */
export async function ensureFileAndFindRow(
  path: string,
  messages: ReadSheetMessages,
  payload: Pick<Payload, 'reference'>,
): Promise<boolean> {
  const found = await inspectFile(path, payload);
  if (found.isManaged) return found.hasRow;
  await cutTornRow(path);
  await replaceFile(
    path,
    formatAll(messages),
    `messages-${new Date().toISOString().replaceAll(':', '-')}.csv`,
  );
  return (await inspectFile(path, payload)).hasRow;
}

/** Cuts off what a crash left of the last row, because no erasure could read it. Its message is in the database. */
export async function cutTornRow(path: string): Promise<void> {
  const { intactSize } = await inspectFile(path);
  if (intactSize === undefined) return;
  await using file = await open(path, 'r+');
  await file.truncate(intactSize);
  await file.sync();
}

type Inspected = { isManaged: boolean; hasRow: boolean; intactSize?: number | undefined };

async function inspectFile(path: string, payload?: Pick<Payload, 'reference'>): Promise<Inspected> {
  // 'r+', because Windows syncs no file that is open for reading only.
  await using file = await open(path, 'r+').catch(undefinedIfMissing);
  const size = (await file?.stat())?.size ?? 0;
  if (!file || size === 0) return { isManaged: true, hasRow: false };
  // A row of a killed process may be in the page cache only.
  await file.sync();
  // Quotes within a cell are doubled: this only ends a row, and an odd number of quotes is a torn row.
  const rowEnd = `,"${payload ? referenceCell(payload) : ''}"\r\n`;
  let [quotes, last, hasRow, hasHeader] = [0, '', false, undefined as boolean | undefined];
  const chunks = file.createReadStream({ start: 0, end: size - 1, autoClose: false, encoding: 'latin1' });
  for await (const chunk of chunks as AsyncIterable<string>) {
    hasHeader ??= chunk.startsWith(Buffer.from(header).toString('latin1'));
    quotes += chunk.split('"').length - 1;
    last += chunk;
    hasRow ||= last.includes(rowEnd);
    last = last.slice(-rowEnd.length);
  }
  if (!hasHeader) return { isManaged: false, hasRow };
  if (quotes % 2 === 0 && last.endsWith('"\r\n')) return { isManaged: true, hasRow };
  return { isManaged: false, hasRow, intactSize: await findTornRow(file, size, quotes % 2) };
}

const cell = '"[^"]*(?:""[^"]*)*';
const count = defaultColumns.length;
const tornRow = new RegExp(
  `^(?:${cell}"(?:,|$)){0,${count - 1}}(?:${cell})?$|^(?:${cell}"(?:,|[\\r\\0]+$)){1,${count}}$`,
);
const maxTornBytes = 1 << 18;

/** Returns where the torn row begins: after the last line break that is outside of quotes. Undefined where the owner broke something else. */
async function findTornRow(file: FileHandle, size: number, odd: number): Promise<number | undefined> {
  const length = Math.min(size, maxTornBytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const text = buffer.toString('latin1');
  for (let at = text.lastIndexOf('"\r\n'); at > 0; at = text.lastIndexOf('"\r\n', at - 1)) {
    const row = text.slice(at + 3);
    if ((row.split('"').length - 1) % 2 === odd) return tornRow.test(row) ? size - row.length : undefined;
  }
  return undefined;
}

async function* formatAll(messages: ReadSheetMessages): AsyncGenerator<string> {
  yield header;
  for await (const page of messages()) yield page.map(formatRow).join('');
}

/** Replaces the file atomically; with a `backupName`, the old file stays under that name. */
export async function replaceFile(
  path: string,
  parts: AsyncIterable<string>,
  backupName?: string,
): Promise<void> {
  const real = await realpath(path);
  const tempPath = `${real}.draft`;
  try {
    await using file = await open(tempPath, 'w', 0o600);
    await copyOwner(real, file);
    for await (const part of parts) await file.writeFile(part);
    await file.sync();
  } catch (error) {
    await rm(tempPath, { force: true });
    throw error;
  }
  const old = backupName && join(dirname(real), backupName);
  if (old) await link(real, old);
  try {
    await rename(tempPath, real);
  } catch (error) {
    for (const path of [tempPath, old]) if (path) await rm(path, { force: true });
    throw error;
  }
  await syncFolder(dirname(real));
}

/** A command run as root must leave the file to its owner. */
async function copyOwner(path: string, draft: FileHandle): Promise<void> {
  await using old = await open(path);
  const { mode, uid, gid } = await old.stat();
  await draft.chmod(mode & 0o777);
  if (process.getuid?.() === 0) await draft.chown(uid, gid);
}
