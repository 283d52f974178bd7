import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { encodings as all, type Encoding, suffixes } from '../server/static-files.ts';
import { cacheFolders, getCachedOrCreate } from './build-cache.ts';

/** `quick` takes a fifth of the time, and leaves a page a tenth larger. */
export type Effort = 'strong' | 'quick';
const levels: Record<Effort, { br: number; zstd: number }> = {
  strong: { br: 11, zstd: 19 },
  quick: { br: 9, zstd: 12 },
};

/** In other threads: the strongest brotli is nine tenths of a build's work. */
const encoders: Record<Encoding, (body: Buffer, effort: Effort) => Promise<Buffer>> = {
  br: (body, effort) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: levels[effort].br,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        [constants.BROTLI_PARAM_LGWIN]: getWindowBits(body),
      },
    }),
  zstd: (body, effort) =>
    promisify(zstdCompress)(body, {
      params: { [constants.ZSTD_c_compressionLevel]: levels[effort].zstd },
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

export async function compressFile(
  file: string,
  effort: Effort = 'strong',
): Promise<{ encodings: Encoding[]; digest: string }> {
  const body = readFileSync(file);
  const fullDigest = createHash('sha256').update(body).digest('base64url');
  const digest = fullDigest.slice(0, 16);
  if (!/\.(html|js|css|svg|txt|xml|json|webmanifest)$/.test(file)) return { encodings: [], digest };
  const made = await Promise.all(
    all.map(async name => {
      const key = `${fullDigest}.${cacheVersion}${effort === 'quick' ? '.quick' : ''}${suffixes[name]}`;
      const encoded = await getCachedOrCreate(cacheFolders.encoded, key, () => encoders[name](body, effort));
      if (encoded.length >= body.length) return [];
      writeFileSync(file + suffixes[name], encoded);
      return [name];
    }),
  );
  return { encodings: made.flat(), digest };
}
