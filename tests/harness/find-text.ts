import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { TestDatabase } from './databases.ts';

/** Whether ASCII text stands in these bytes, in any capitals: plain, in UTF-16, in hex, compressed, or as mails encode it. */
export function containsText(bytes: Buffer, text: string): boolean {
  const isPacked = bytes.length > 2 && bytes.readUInt16BE() === 0x1f8b;
  const raw = (isPacked ? gunzipSync(bytes) : bytes).toString('latin1');
  const quoted = raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const wanted = text.toLowerCase();
  const plain = [raw, quoted, raw.replaceAll('\0', '')].some(one => one.toLowerCase().includes(wanted));
  return (
    plain ||
    raw.toLowerCase().includes(Buffer.from(wanted).toString('hex')) ||
    [text, wanted].flatMap(inBase64).some(code => raw.replaceAll(/\r?\n/g, '').includes(code))
  );
}

/** As it stands in the middle of encoded text, whichever of the three ways it lies. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map(lead => {
    const code = Buffer.from('\0'.repeat(lead) + text).toString('base64');
    return code.slice(lead === 0 ? 0 : 4, -4);
  });
}

/** Every file under the folder, changed since a time, that holds the text. Links lead elsewhere, and are not followed. */
export function findInFiles(folder: string, text: string, since = 0): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return findInFiles(path, text, since);
    // A file that is being written at this moment gets another name.
    const changedAt = entry.isFile() && statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    return changedAt && changedAt >= since && containsText(readFileSync(path), text) ? [path] : [];
  });
}

/** Every table with a row that holds the text, whatever its columns; of PostgreSQL also what its planner has sampled. */
export async function findInTables(database: TestDatabase, text: string): Promise<string[]> {
  const { query, env } = database;
  const isPostgres = env.DATABASE_URL !== undefined;
  const tables = await query(
    isPostgres
      ? `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
         where table_schema not in ('pg_catalog', 'information_schema') union select 'pg_catalog.pg_stats'`
      : "select '\"' || name || '\"' as name from sqlite_schema where type = 'table'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query(`select ${isPostgres ? 't::text' : '*'} from ${name} as t`);
    const values = rows.flatMap(row => Object.values(row));
    if (values.some(value => containsText(toBytes(value), text))) found.push(String(name));
  }
  return found.map(name => name.replaceAll(/^public\.|"/g, '')).sort();
}

function toBytes(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
}
