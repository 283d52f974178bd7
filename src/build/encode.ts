import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { encodings as all, type Encoding, suffixes } from '../server/files.ts';

const encoders: Record<Encoding, (body: Buffer) => Buffer> = {
  br: body =>
    brotliCompressSync(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  zstd: body => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  gzip: body => gzipSync(body, { level: 9 }),
};

/** Writes a file's encodings beside it, where they are worth their name, and returns which there are. */
export function encodeFile(file: string): { encodings: Encoding[]; digest: string } {
  const body = readFileSync(file);
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  if (!/\.(html|js|css|svg|txt|xml|json|webmanifest)$/.test(file)) return { encodings: [], digest };
  const encodings = all.filter(name => {
    const encoded = encoders[name](body);
    if (encoded.length >= body.length) return false;
    writeFileSync(file + suffixes[name], encoded);
    return true;
  });
  return { encodings, digest };
}
