import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Encoding } from '../server/files.ts';

const encoders: Record<Encoding, { suffix: string; encode(body: Buffer): Buffer }> = {
  br: {
    suffix: '.br',
    encode: body =>
      brotliCompressSync(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      }),
  },
  zstd: {
    suffix: '.zst',
    encode: body => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  },
  gzip: { suffix: '.gz', encode: body => gzipSync(body, { level: 9 }) },
};

/** Writes a file's encodings beside it, where they are worth their name, and returns which there are. */
export function encodeFile(file: string): { encodings: Encoding[]; digest: string } {
  const body = readFileSync(file);
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  if (!/\.(html|js|css|svg|txt|xml|json)$/.test(file)) return { encodings: [], digest };
  const encodings = (Object.keys(encoders) as Encoding[]).filter(name => {
    const { suffix, encode } = encoders[name];
    const encoded = encode(body);
    if (encoded.length >= body.length) return false;
    writeFileSync(file + suffix, encoded);
    return true;
  });
  return { encodings, digest };
}
