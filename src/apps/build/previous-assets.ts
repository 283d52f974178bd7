import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileEntry, fileTable } from '../../core/http/static-files.ts';
import { writeFile } from './write-pages.ts';

const maxAgeMs = 24 * 60 * 60 * 1000;

type CopyOptions = { from: string; site: string; now: Date };

/** Pages that are open still request the assets of their own build. Returns the time at which each expired. */
export function copyPreviousAssets({ from, site, now }: CopyOptions): Map<string, string> {
  const copied = new Map<string, string>();
  for (const { file, outdatedSince } of listOutdatedAssets(from, site, now)) {
    const body = readIfExists(join(from, 'site', file));
    if (!body) continue;
    writeFile(join(site, file), body);
    copied.set(file, outdatedSince);
  }
  return copied;
}

function listOutdatedAssets(
  from: string,
  site: string,
  now: Date,
): { file: string; outdatedSince: string }[] {
  const oldest = new Date(now.getTime() - maxAgeMs).toISOString();
  return readEntries(from)
    .filter(({ kind, file }) => kind === 'hashed' && !existsSync(join(site, file)))
    .map(({ file, outdatedSince = now.toISOString() }) => ({ file, outdatedSince }))
    .filter(({ outdatedSince }) => outdatedSince > oldest);
}

function readEntries(from: string): FileEntry[] {
  const table = readIfExists(join(from, fileTable));
  return table ? JSON.parse(table.toString()) : [];
}

function readIfExists(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
