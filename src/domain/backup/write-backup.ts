import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Counts, Dump } from '../../store/dump.ts';
import { type End, formatName, formatVersion, type Head } from './format.ts';

type WriteDeps = { dump: Dump; clock: Clock };

/** What is told while it is written: how much there is, and how much of it is done. */
export type Watch = { begin?(counts: Counts): void; progress?(rows: number): void };

/** A backup, part by part: a line of JSON for each row, the same bytes from either database but for the time. */
export async function* writeBackup(
  { dump, clock }: WriteDeps,
  { begin, progress }: Watch = {},
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const written: Partial<Counts> = {};
  let rows = 0;

  function part(lines: string): Buffer {
    const bytes = Buffer.from(lines);
    hash.update(bytes);
    return bytes;
  }

  for await (const read of dump.read()) {
    if ('counts' in read) {
      begin?.(read.counts);
      const { migrations } = dump;
      const madeAt = clock.now().toISOString();
      const head: Head = { format: formatName, version: formatVersion, madeAt, migrations };
      yield part(`${JSON.stringify(head)}\n`);
      for (const table of Object.keys(read.counts)) written[table as keyof Counts] = 0;
    } else {
      yield part(read.rows.map(row => writeLine(read.table, row)).join(''));
      written[read.table] = (written[read.table] ?? 0) + read.rows.length;
      rows += read.rows.length;
      progress?.(rows);
    }
  }
  const end: End = { end: true, counts: written as Counts, sha256: hash.digest('hex') };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
}

/** SQLite may have kept a NUL from what a server answered; no text of PostgreSQL's holds one. */
function writeLine(t: string, r: object): string {
  const line = JSON.stringify({ t, r });
  if (!line.includes('\\u0000')) return `${line}\n`;
  const mended = Object.entries(r).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value,
  ]);
  return `${JSON.stringify({ t, r: Object.fromEntries(mended) })}\n`;
}
