import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

export const cacheFolders = {
  seoImages: cacheFolder('seo-images'),
  encoded: cacheFolder('encoded'),
  images: cacheFolder('images'),
};

function cacheFolder(name: string): string {
  return resolve(import.meta.dirname, '../../.cache', name);
}

export function createCacheKey(...parts: unknown[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(typeof part === 'string' ? part : JSON.stringify(part)).update('\0');
  return sum.digest('hex').slice(0, 24);
}

export async function getCachedOrCreate(
  folder: string,
  key: string,
  make: () => Promise<Buffer>,
): Promise<Buffer> {
  const file = join(folder, key);
  // No created file is empty, but a power cut may leave an empty file under the name.
  if (statSync(file, { throwIfNoEntry: false })?.size) {
    utimesSync(file, new Date(), new Date());
    return readFileSync(file);
  }
  const created = await make();
  try {
    mkdirSync(folder, { recursive: true });
    // Another build may be writing the same file: rename makes it appear complete.
    const part = `${file}.${randomUUID()}`;
    writeFileSync(part, created);
    renameSync(part, file);
  } catch (error) {
    // A server may be allowed to write to dist/ alone: then each build creates its files anew.
    if (!['EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return created;
}

const maxUnusedMs = 30 * 24 * 60 * 60 * 1000;

export function deleteUnusedFiles(folders = Object.values(cacheFolders), now = Date.now()): void {
  for (const folder of folders.filter(existsSync)) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      if (stat?.isFile() && now - stat.mtimeMs > maxUnusedMs) rmSync(join(folder, name), { force: true });
    }
  }
}
