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
    ignoreDenied(() => utimesSync(file, new Date(), new Date()));
    return readFileSync(file);
  }
  const created = await make();
  ignoreDenied(() => {
    mkdirSync(folder, { recursive: true });
    // Another build may be writing the same file: rename makes it appear complete.
    const part = `${file}.${randomUUID()}`;
    writeFileSync(part, created);
    renameSync(part, file);
  });
  return created;
}

/** Outside dist/ a server may be allowed to write nothing, or find files of another user: it builds without them. */
function ignoreDenied(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const maxUnusedMs = 30 * 24 * 60 * 60 * 1000;

export function deleteUnusedFiles(folders = Object.values(cacheFolders), now = Date.now()): void {
  for (const folder of folders.filter(existsSync)) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      if (stat?.isFile() && now - stat.mtimeMs > maxUnusedMs)
        ignoreDenied(() => rmSync(join(folder, name), { force: true }));
    }
  }
}
