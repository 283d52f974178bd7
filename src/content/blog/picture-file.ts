import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

export type PictureFile = { width: number; height: number; digest: string };
type Size = { width: number; height: number };

const mostBytes = 20_000_000;
const mostPixels = 50_000_000;

/** What the head of a picture's file says of it, upright as it is shown; or why it cannot be used, in words that follow its name. */
export function readPictureFile(file: string): PictureFile | { reason: string } {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return { reason: 'is missing' };
  if (stat.size > mostBytes)
    return { reason: `is ${Math.ceil(stat.size / 1e6)} MB, limit ${mostBytes / 1e6} MB` };
  const bytes = readFileSync(file);
  const size = sizeOf(bytes);
  if (typeof size === 'string') return { reason: size };
  const { width, height } = size;
  if (!(width && height)) return { reason: cutOff };
  if (width * height > mostPixels)
    return { reason: `is ${width} × ${height} pixels, limit ${mostPixels / 1e6} million together` };
  return { width, height, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 10) };
}

/** Whatever the file is called. */
function sizeOf(bytes: Buffer): Size | string {
  try {
    if (bytes.subarray(0, 8).equals(pngMark)) return sizeOfPng(bytes);
    if (bytes.readUInt16BE(0) === 0xffd8) return sizeOfJpeg(bytes);
    if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return sizeOfWebp(bytes);
  } catch (error) {
    if (error instanceof RangeError) return cutOff;
    throw error;
  }
  if (/^\uFEFF?\s*<(\?xml|!doctype svg|!--|svg)/i.test(bytes.toString('utf8', 0, 200)))
    return 'is an SVG, which can hold scripts; save it as PNG';
  return 'is no PNG, JPEG or WebP';
}

const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const cutOff = 'ends before the picture does; save it again';

function sizeOfPng(bytes: Buffer): Size | string {
  if (!bytes.subarray(-64).includes('IEND')) return cutOff;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function sizeOfWebp(bytes: Buffer): Size | string {
  if (bytes.length < bytes.readUInt32LE(4) + 8) return cutOff;
  const kind = textAt(bytes, 12, 4);
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (bytes.readUInt8(20) & 0b10) return 'moves; save one picture of it';
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}

function sizeOfJpeg(bytes: Buffer): Size | string {
  let isTurned = false;
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return 'is a JPEG that cannot be read; save it again';
    const mark = bytes.readUInt8(at + 1);
    if (mark === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (mark === 0xe1 && textAt(bytes, at + 4, 4) === 'Exif')
      isTurned = orientationOf(bytes.subarray(at + 10, at + 2 + length)) >= 5;
    // Frame headers, of whichever kind; three marks among them mean something else.
    if (mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)) {
      if (!bytes.includes(Buffer.from([0xff, 0xd9]), at)) return cutOff;
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return isTurned ? { width: height, height: width } : { width, height };
    }
    at += 2 + length;
  }
}

/** From 5 on, a camera was held on its side. */
function orientationOf(exif: Buffer): number {
  const isLittle = textAt(exif, 0, 2) === 'II';
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const long = (at: number) => (isLittle ? exif.readUInt32LE(at) : exif.readUInt32BE(at));
  const start = long(4);
  for (let index = 0; index < short(start); index += 1) {
    const at = start + 2 + index * 12;
    if (short(at) === 0x0112) return short(at + 8);
  }
  return 1;
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', at, at + length);
}
