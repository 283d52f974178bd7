import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { imageSize } from 'image-size';

export type ImageFile = { width: number; height: number; digest: string };

const maxBytes = 20_000_000;
const maxPixels = 50_000_000;

/** The size of the upright image, or why it cannot be used, phrased to follow its name. */
export function readImageFile(file: string): ImageFile | { reason: string } {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return { reason: 'is missing' };
  if (stat.size > maxBytes)
    return { reason: `is ${Math.ceil(stat.size / 1e6)} MB, limit ${maxBytes / 1e6} MB` };
  const bytes = readFileSync(file);
  const size = readSize(bytes);
  if (size?.type === 'svg' || /\.svg$/i.test(file))
    return { reason: 'is an SVG, which can contain scripts; save it as PNG' };
  if (!size || !Object.hasOwn(isComplete, size.type)) return { reason: 'is not a PNG, JPEG or WebP' };
  const isRotated = (size.orientation ?? 1) >= 5;
  const [width, height] = isRotated ? [size.height, size.width] : [size.width, size.height];
  if (!(width && height && isComplete[size.type as keyof typeof isComplete](bytes)))
    return { reason: 'is incomplete; save it again' };
  if (width * height > maxPixels)
    return { reason: `is ${width} × ${height} pixels, limit ${maxPixels / 1e6} million in total` };
  return { width, height, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 10) };
}

function readSize(bytes: Buffer) {
  try {
    const { type = '', ...size } = imageSize(bytes);
    return { type, ...size };
  } catch {
    return undefined;
  }
}

/** Detects truncated files; the build finds other damage when it decodes the image. */
const isComplete = {
  png: (bytes: Buffer) => bytes.subarray(-64).includes('IEND'),
  jpg: (bytes: Buffer) => bytes.includes(Buffer.from([0xff, 0xd9])),
  webp: (bytes: Buffer) => bytes.length >= bytes.readUInt32LE(4) + 8,
};
