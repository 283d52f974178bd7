import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { encodings as all, type Encoding, suffixes } from '../server/files.ts';
import { keepMade, keptFolders } from './kept.ts';

/** In other threads: the strongest brotli is nine tenths of a build's work. */
const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: body =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  zstd: body => promisify(zstdCompress)(body, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  gzip: body => promisify(gzip)(body, { level: 9 }),
};
/** Named anew when an encoder is set otherwise. */
const round = '1';

/** Writes a file's encodings beside it, where they are worth their name, and returns which there are. */
export async function encodeFile(file: string): Promise<{ encodings: Encoding[]; digest: string }> {
  const body = readFileSync(file);
  const whole = createHash('sha256').update(body).digest('base64url');
  const digest = whole.slice(0, 22);
  if (!/\.(html|js|css|svg|txt|xml|json|webmanifest)$/.test(file)) return { encodings: [], digest };
  const made = await Promise.all(
    all.map(async name => {
      const key = `${whole}.${round}${suffixes[name]}`;
      const encoded = await keepMade(keptFolders.encoded, key, () => encoders[name](body));
      if (encoded.length >= body.length) return [];
      writeFileSync(file + suffixes[name], encoded);
      return [name];
    }),
  );
  return { encodings: made.flat(), digest };
}
