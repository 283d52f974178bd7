import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { cacheFolders, getCachedOrCreate } from '../../core/build-cache.ts';
import type { GeneratedFile } from '../../core/content/build-part.ts';
import { encodings as all, type Encoding, type FileEntry, suffixes } from '../../core/http/static-files.ts';
import type { PageList } from './create-page-settings.ts';
import { pageFile } from './write-pages.ts';

type CompressOptions = {
  generated: readonly GeneratedFile[];
  styles: Map<string, string>;
  previousAssets: Map<string, string> | undefined;
};

export function compressFiles(
  site: string,
  files: string[],
  { paths }: PageList,
  { generated, styles, previousAssets }: CompressOptions,
): Promise<FileEntry[]> {
  const kinds = new Map(generated.map(({ path, kind }) => [path, kind]));
  const pathsByFile = new Map(paths.map(path => [pageFile(path), path]));
  const getKind = (file: string): FileEntry['kind'] => {
    if (pathsByFile.has(file)) return 'page';
    if (file === '404.html') return 'not-found';
    if (file.startsWith('static/')) return 'hashed';
    return kinds.get(`/${file}`) ?? (/\.(svg|png|jpg|ico)$/.test(file) ? 'shared' : 'plain');
  };
  return mapWithConcurrency(files, availableParallelism() + 1, async file => {
    const css = styles.get(file);
    const outdatedSince = previousAssets?.get(file);
    const path = pathsByFile.get(file) ?? `/${file}`;
    return {
      path,
      file,
      kind: getKind(file),
      ...(css && { styles: css }),
      ...(outdatedSince && { outdatedSince }),
      ...(await compressFile(join(site, file))),
    };
  });
}

export async function mapWithConcurrency<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const queue = items.entries();
  const runWorker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, runWorker));
  return results;
}

const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: body =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        [constants.BROTLI_PARAM_LGWIN]: getWindowBits(body),
      },
    }),
  zstd: body =>
    promisify(zstdCompress)(body, {
      params: { [constants.ZSTD_c_compressionLevel]: 19 },
      // Without it zstd allocates megabytes, and collecting them costs ten times as much as encoding a page.
      pledgedSrcSize: body.length,
    }),
  gzip: body => promisify(gzip)(body, { level: 9 }),
};
/** Part of the cache key: change it with the encoders' settings. */
const cacheVersion = '2';

function getWindowBits({ length }: Buffer): number {
  const needed = Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(length + 16)));
  return Math.min(constants.BROTLI_DEFAULT_WINDOW, needed);
}

export async function compressFile(file: string): Promise<{ encodings: Encoding[]; digest: string }> {
  const body = readFileSync(file);
  const fullDigest = createHash('sha256').update(body).digest('base64url');
  const digest = fullDigest.slice(0, 16);
  if (!/\.(html|js|css|svg|txt|xml|json|webmanifest)$/.test(file)) return { encodings: [], digest };
  const created = await Promise.all(
    all.map(async name => {
      const key = `${fullDigest}.${cacheVersion}${suffixes[name]}`;
      const compressed = await getCachedOrCreate(cacheFolders.encoded, key, () => encoders[name](body));
      if (compressed.length >= body.length) return [];
      writeFileSync(file + suffixes[name], compressed);
      return [name];
    }),
  );
  return { encodings: created.flat(), digest };
}
