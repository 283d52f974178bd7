import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestDatabase } from './databases.ts';

const readDump = (kind: 'sqlite' | 'postgres') =>
  readFileSync(join(import.meta.dirname, `../databases/2026-11-19.${kind}.sql`), 'utf8');

/** What the version of 19 November 2026 wrote: its server took the messages, its commands changed them. */
export function writeEarlierDatabase(file: string): void {
  using database = new DatabaseSync(file);
  database.exec(readDump('sqlite'));
}

export async function fillEarlierDatabase({ env, dataDir, query }: TestDatabase): Promise<void> {
  if (env.DATABASE_URL) await query(readDump('postgres'));
  else writeEarlierDatabase(join(dataDir, 'wardhouse.sqlite'));
}
