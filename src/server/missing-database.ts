import { existsSync } from 'node:fs';
import { databaseFile } from '../store/sqlite.ts';
import type { Config } from './config.ts';

/** The file that is not there, for whoever must not make one. PostgreSQL says for itself whether it is. */
export function findMissingDatabase({ databaseUrl, dataDir }: Config): string | undefined {
  const file = databaseFile(dataDir);
  return databaseUrl || existsSync(file) ? undefined : file;
}
