import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CsvError } from 'csv-parse/sync';
import { withFileLock } from '../../../core/file-lock.ts';
import { undefinedIfMissing } from '../../../core/files.ts';
import type {
  LocalCopy,
  LocalCopyErasure,
  LocalCopyExpiry,
  LocalCopySearch,
} from '../../../core/local-files.ts';
import { formatRecord, readRecords } from '../../../lib/csv.ts';
import { escapeFormula, escapeInnerFormulas } from '../../../lib/escape-formula.ts';
import { isAfter, isBefore, mentionsReference } from '../../../lib/match-copies.ts';
import { type Correction, personalFields } from '../message-fields.ts';
import { cutTornRow, replaceFile } from './messages-file.ts';

type SheetRow = { columns: string[]; cells: string[] };

type Change = (row: SheetRow) => string[] | undefined;
type SheetSearch = Pick<LocalCopySearch, 'references' | 'mentions'>;

const sheetName = /^messages(-[\dT.-]+Z)?\.csv$/;
/** Temporary files of a killed process, also of an earlier version. Copies that the owner made have other names. */
const temporaryName = /^messages(-[\dT.-]+Z)?\.csv\.(draft|torn|rewrite|[0-9a-f-]{36}\.new)$/;

/** `messages.csv` may remain from before a service was configured; older files were renamed by ensureFileAndFindRow. */
export function createSheetCopies(dataDir: string) {
  let expiredOn: string | undefined;

  async function list(name: RegExp): Promise<string[]> {
    const names = (await readdir(dataDir).catch(undefinedIfMissing)) ?? [];
    return names.filter(one => name.test(one)).map(one => join(dataDir, one));
  }

  /** Returns other files that contain it: temporary files, and sheets that cannot be read, which the owner has to check. */
  async function eachSheet(search: SheetSearch, work: (path: string) => Promise<void>) {
    await cutTornRow(join(dataDir, 'messages.csv'));
    const others: Pick<LocalCopy, 'kind' | 'path'>[] = [];
    for (const path of await list(temporaryName)) others.push({ kind: 'temporary file', path });
    for (const path of await list(sheetName)) {
      await work(path).catch(error => {
        if (!(error instanceof CsvError)) throw error;
        others.push({ kind: 'unmanaged file', path });
      });
    }
    const matching: typeof others = [];
    for (const other of others) {
      const text = (await readFile(other.path, 'utf8').catch(undefinedIfMissing)) ?? '';
      if (search.mentions(text) || mentionsReference(text, search.references)) matching.push(other);
    }
    return matching;
  }

  /** Reading takes the lock too: a row that is being written would look torn. */
  async function locked<T>(work: () => Promise<T>): Promise<T | undefined> {
    if ((await list(/^messages/)).length === 0) return undefined;
    return withFileLock(join(dataDir, 'messages.csv.lock'), work);
  }

  async function changeAll(search: SheetSearch, change: Change) {
    const counts = { removed: 0, changed: 0, temporaryFiles: 0 };
    await locked(async () => {
      const others = await eachSheet(search, async path => {
        const { removed, changed } = await countChanges(path, change);
        if (removed + changed > 0) await replaceFile(path, formatChanged(path, change));
        counts.removed += removed;
        counts.changed += changed;
      });
      const temporaryFiles = others.filter(({ kind }) => kind === 'temporary file');
      for (const { path } of temporaryFiles) await rm(path, { force: true });
      counts.temporaryFiles = temporaryFiles.length;
    });
    return counts;
  }

  return {
    isManaged: (path: string) =>
      path === join(dataDir, basename(path)) &&
      [sheetName, temporaryName].some(name => name.test(basename(path))),

    async find(search: LocalCopySearch): Promise<LocalCopy[]> {
      const copies: LocalCopy[] = [];
      const listRows = async (path: string) => {
        const rows: LocalCopy[] = [];
        for await (const row of readRows(path)) {
          const belongsToPerson = isRowOfPerson(row, search);
          if (!belongsToPerson && !row.cells.some(search.mentions)) continue;
          const [reference, at] = [getCell(row, 'Reference'), getCell(row, 'Received')];
          rows.push({ kind: 'row', path, reference, at, belongsToPerson });
        }
        copies.push(...rows);
      };
      const others = (await locked(() => eachSheet(search, listRows))) ?? [];
      const nothing = { reference: '', at: '', belongsToPerson: false };
      return [...copies, ...others.map(other => ({ ...other, ...nothing }))];
    },

    async erase(
      erasure: LocalCopyErasure,
    ): Promise<{ rows: number; redacted: number; temporaryFiles: number }> {
      const { references, upTo, mentions, redact } = erasure;
      const { removed, changed, temporaryFiles } = await changeAll(erasure, row => {
        if (references.has(getCell(row, 'Reference'))) return undefined;
        if (isAfter(getCell(row, 'Received'), upTo)) return row.cells;
        if (isRowOfPerson(row, erasure)) return undefined;
        return row.cells.some(mentions) ? row.cells.map(redact) : row.cells;
      });
      return { rows: removed, redacted: changed, temporaryFiles };
    },

    async rectify(references: ReadonlySet<string>, change: Correction) {
      const corrections = new Map(personalFields.map(({ name, label }) => [label as string, change[name]]));
      const { changed } = await changeAll({ references, mentions: () => false }, row => {
        if (!references.has(getCell(row, 'Reference'))) return row.cells;
        return row.cells.map((cell, index) => {
          const corrected = corrections.get(row.columns[index] ?? '');
          return corrected === undefined ? cell : escapeInnerFormulas(escapeFormula(corrected));
        });
      });
      return changed;
    },

    async expire({ references, before }: LocalCopyExpiry): Promise<number> {
      const day = before?.slice(0, 10);
      if (references.size === 0 && day === expiredOn) return 0;
      const { removed } = await changeAll({ references, mentions: () => false }, row => {
        const isOld = isBefore(getCell(row, 'Received'), before);
        return isOld || references.has(getCell(row, 'Reference')) ? undefined : row.cells;
      });
      expiredOn = day ?? expiredOn;
      return removed;
    },
  };
}

function getCell({ columns, cells }: SheetRow, column: string): string {
  return cells[columns.indexOf(column)] ?? '';
}

function isRowOfPerson(row: SheetRow, { references, belongsToPerson }: LocalCopySearch): boolean {
  const email = getCell(row, 'Email');
  return (
    references.has(getCell(row, 'Reference')) ||
    belongsToPerson(email) ||
    belongsToPerson(email.replace(/^'/, ''))
  );
}

async function* readRows(path: string): AsyncGenerator<SheetRow> {
  let columns: string[] | undefined;
  for await (const cells of readRecords(path, 'Reference')) {
    if (columns) yield { columns, cells };
    columns ??= cells;
  }
}

async function countChanges(path: string, change: Change): Promise<{ removed: number; changed: number }> {
  const counts = { removed: 0, changed: 0 };
  for await (const row of readRows(path)) {
    const cells = change(row);
    if (cells !== row.cells) counts[cells ? 'changed' : 'removed']++;
  }
  return counts;
}

async function* formatChanged(path: string, change: Change): AsyncGenerator<string> {
  let columns: string[] | undefined;
  for await (const cells of readRecords(path, 'Reference')) {
    const result = columns ? change({ columns, cells }) : cells;
    if (result) yield (columns ? '' : '\ufeff') + formatRecord(result);
    columns ??= cells;
  }
}
