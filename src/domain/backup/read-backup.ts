import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Counts, Page } from '../../store/dump.ts';
import type { DumpedTable, Row } from '../../store/dumped-tables.ts';
import { checkRow, isAfter } from './check-row.ts';
import { BackupMistake, type End, formatName, formatVersion, type Head, type Known } from './format.ts';
import { splitLines } from './split-lines.ts';

/** What a file that is in order says of itself. */
export type Summary = { madeAt: string; counts: Counts; sha256: string };

/** A page is handed on when it has this many rows, or bytes. */
const largestPage = { rows: 500, bytes: 4 * 1024 * 1024 };

/**
 * Rows of a backup, page by page, each one checked: that it can be read, has a place in this version's tables, and comes in
 * its order. The first mistake is thrown. That nothing is missing or changed is known only once it has returned.
 */
export async function* readBackup(
  parts: AsyncIterable<Uint8Array>,
  { shapes, migrations }: Known,
): AsyncGenerator<Page, Summary> {
  const tables = Object.keys(shapes) as DumpedTable[];
  const counts = Object.fromEntries(tables.map(table => [table, 0])) as Counts;
  const hash = createHash('sha256');
  let head: Head | undefined;
  let lacking: ReadonlySet<string> = new Set();
  let end: End | undefined;
  let last = 0;
  let page: Page | undefined;
  let before: Row | undefined;
  let size = 0;

  for await (const { number, bytes } of splitLines(parts)) {
    const fail = (reason: string): never => {
      throw new BackupMistake(number, reason);
    };
    if (end) fail('something follows the end of the backup');
    last = number;
    const line = parseLine(bytes, number);
    if (!head) {
      head = readHead(line, migrations);
      lacking = new Set(migrations).difference(new Set(head.migrations));
    } else if (line.end === true) {
      end = line as End;
    } else {
      const table = tables.find(name => name === line.t) ?? fail('it belongs to no table of this site');
      const row = checkRow(shapes[table], line.r, lacking);
      if (typeof row === 'string') return fail(`${table}: ${row}`);
      const isSame = page?.table === table;
      if (page && !isSame && tables.indexOf(table) < tables.indexOf(page.table)) {
        fail(`${table} come after ${page.table}`);
      }
      if (isSame && before && !isAfter(shapes[table], row, before)) fail(`${table}: it is out of order`);
      if (page && (!isSame || page.rows.length >= largestPage.rows || size >= largestPage.bytes)) {
        yield page;
        page = undefined;
        size = 0;
      }
      page ??= { table, rows: [] };
      page.rows.push(row);
      before = row;
      size += bytes.length;
      counts[table] += 1;
    }
    if (!end) hash.update(bytes).update('\n');
  }
  if (!head) throw new BackupMistake(1, 'the file is empty');
  if (!end) throw new BackupMistake(last, 'the file ends here, in the middle of the backup');
  for (const table of tables) {
    const said = end.counts?.[table] ?? 0;
    if (said !== counts[table]) {
      throw new BackupMistake(last, `the backup had ${said} rows of ${table}, the file has ${counts[table]}`);
    }
  }
  const sha256 = hash.digest('hex');
  if (end.sha256 !== sha256)
    throw new BackupMistake(last, 'the checksum is not that of the file: it was changed');
  if (page) yield page;
  return { madeAt: head.madeAt, counts, sha256 };
}

type Line = Partial<Head> & Partial<Omit<End, 'end'>> & { end?: unknown; t?: unknown; r?: unknown };

function parseLine(bytes: Buffer, number: number): Line {
  try {
    if (!isUtf8(bytes)) throw new Error('not UTF-8');
    const line: unknown = JSON.parse(bytes.toString());
    if (typeof line === 'object' && line !== null) return line;
  } catch {
    // It is told below, with what is neither.
  }
  throw new BackupMistake(number, number === 1 ? notOurs : 'it is no line of a backup');
}

const notOurs = 'this is no backup of this site';
const isNewer = 'the backup was made by a newer version of the site, and is restored with that one';

function readHead({ format, version, madeAt, migrations }: Line, known: readonly string[]): Head {
  const isHead =
    format === formatName &&
    typeof version === 'number' &&
    typeof madeAt === 'string' &&
    !Number.isNaN(Date.parse(madeAt)) &&
    Array.isArray(migrations) &&
    migrations.every(name => typeof name === 'string');
  if (!isHead) throw new BackupMistake(1, notOurs);
  if (version !== formatVersion) throw new BackupMistake(1, `${isNewer} (format ${version})`);
  const unknown = migrations.filter(name => !known.includes(name));
  if (unknown.length > 0) throw new BackupMistake(1, `${isNewer} (it has ${unknown.join(', ')})`);
  return { format, version, madeAt, migrations };
}
