import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentError } from '../content-error.ts';
import type { BrandFonts } from '../schemas/brand-fonts.ts';
import type { ParsedFile } from '../source-positions.ts';
import type { FontFile, FontFiles } from './brand-files.ts';

export const fontFolder = 'brand/fonts';

export function readFonts(
  folder: string,
  fonts: BrandFonts,
  { file, lineAt }: Pick<ParsedFile, 'file' | 'lineAt'>,
  errors: ContentError[],
): FontFiles {
  const read = (use: keyof BrandFonts) =>
    fonts[use].files.map((font, index): FontFile => {
      const path = join(folder, fontFolder, font.file);
      const { bytes, reason } = readFont(path);
      if (reason) {
        const path = ['fonts', use, 'files', index, 'file'];
        errors.push({
          file,
          line: lineAt(path),
          field: 'file',
          path,
          reason: `names ${font.file}, which ${reason}`,
        });
      }
      const [min = 400, max = min] = String(font.weights).split(' to ').map(Number);
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
      return { name: font.file, path, hash, weights: [min, max], unicodeRange: font.unicodeRange };
    });
  return { text: read('text'), code: read('code') };
}

function readFont(path: string): { bytes: Buffer; reason?: string } {
  try {
    const bytes = readFileSync(path);
    const isWoff2 = bytes.toString('latin1', 0, 4) === 'wOF2';
    return isWoff2
      ? { bytes }
      : { bytes, reason: 'is not a WOFF2 font; convert it, or ask your designer for one' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'is missing from' : `cannot be read (${code}) in`;
    return { bytes: Buffer.alloc(0), reason: `${what} content/${fontFolder}/` };
  }
}
