import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { imageSize } from 'image-size';
import type { Paragraph } from 'mdast';
import { truncate } from '../../core/content/fields.ts';
import { type ProseNode, type ProseTools, toSlug } from '../../core/content/prose.ts';
import { maxImageMb, maxImageMegapixels } from '../../lib/image-limits.ts';
import type { PostImage } from './blog-types.ts';

const widths = [1600, 800];
const maxHeight = 16_383;
/** Part of the URLs, which are cached for ever: change it when images are encoded differently. */
const formatVersion = '1';

export const imagesPath = '/blog/images/';

export function createImageCollector(folder: string) {
  const images: PostImage[] = [];

  return {
    list: () => images,
    convert(node: Paragraph, { addError }: ProseTools): ProseNode[] | undefined {
      const [image, ...others] = node.children;
      if (image?.type !== 'image' || others.length > 0) return undefined;
      const { url, alt = '', title } = image;
      if (!/^[\w-][\w.-]*\.(png|jpe?g|webp|svg|gif)$/i.test(url))
        return addError(
          image,
          `shows '${truncate(url)}'; a picture must be a PNG, JPEG or WebP beside the post, named with letters, digits and hyphens`,
        );
      if (!alt?.trim())
        return addError(image, `shows ${url} without a description; write ![description](${url})`);
      const file = join(folder, url);
      const read = readImageFile(file);
      if ('reason' in read) return addError(image, `shows ${url}, which ${read.reason}`);
      const variants = planVariants(url, read.hash, read.width, read.height);
      if (variants.some(({ height }) => height > maxHeight))
        return addError(
          image,
          `shows ${url}, which is ${read.width} × ${read.height} pixels, too tall for one picture`,
        );
      images.push({ file, line: image.position?.start.line ?? 1, variants });
      const img: ProseNode = ['img', getImageAttributes(variants, alt.trim(), images.length > 1)];
      return [['figure', {}, img, ...(title ? [['figcaption', {}, title] as ProseNode] : [])]];
    },
  };
}

type Variant = PostImage['variants'][number];

function planVariants(name: string, hash: string, width: number, height: number): Variant[] {
  const stem = toSlug(name.replace(/\.\w+$/, ''));
  const full = Math.min(width, widths[0] ?? width);
  return [full, ...widths.slice(1).filter(width => width < full)].map(wide => ({
    path: `${imagesPath}${stem}-${hash}${formatVersion}${wide === full ? '' : `-${wide}`}.webp`,
    width: wide,
    height: Math.max(1, Math.round((height * wide) / width)),
  }));
}

function getImageAttributes(variants: Variant[], alt: string, isLazy: boolean): Record<string, string> {
  const [full] = variants;
  if (!full) return {};
  const srcset = variants.map(({ path, width }) => `${path} ${width}w`).join(', ');
  return {
    src: full.path,
    ...(variants.length > 1 && { srcset, sizes: '(min-width: 48rem) 44rem, 100vw' }),
    alt,
    width: String(full.width),
    height: String(full.height),
    ...(isLazy && { loading: 'lazy' }),
    decoding: 'async',
  };
}

export type CheckedImage = { type: ImageType; width: number; height: number; hash: string };
export type ImageType = keyof typeof isComplete;

function readImageFile(file: string): CheckedImage | { reason: string } {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return { reason: 'is missing' };
  if (isTooLarge(stat.size)) return { reason: describeSize(stat.size) };
  return /\.svg$/i.test(file) ? { reason: isSvg } : checkImage(readFileSync(file));
}

const isTooLarge = (bytes: number) => bytes > maxImageMb * 1e6;
const describeSize = (bytes: number) => `is ${Math.ceil(bytes / 1e6)} MB, limit ${maxImageMb} MB`;

const isSvg = 'is an SVG, which can contain scripts; save it as PNG';

/** By its content: a name says nothing. */
export function checkImage(bytes: Uint8Array): CheckedImage | { reason: string } {
  if (isTooLarge(bytes.length)) return { reason: describeSize(bytes.length) };
  const size = readSize(bytes);
  if (size?.type === 'svg') return { reason: isSvg };
  if (!size || !Object.hasOwn(isComplete, size.type)) return { reason: 'is not a PNG, JPEG or WebP' };
  const type = size.type as ImageType;
  const isRotated = (size.orientation ?? 1) >= 5;
  const [width, height] = isRotated ? [size.height, size.width] : [size.width, size.height];
  if (!(width && height && isComplete[type](Buffer.from(bytes))))
    return { reason: 'is incomplete; save it again' };
  if (width * height > maxImageMegapixels * 1e6)
    return { reason: `is ${width} × ${height} pixels, limit ${maxImageMegapixels} million in total` };
  return { type, width, height, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 10) };
}

function readSize(bytes: Uint8Array) {
  try {
    const { type = '', ...size } = imageSize(bytes);
    return { type, ...size };
  } catch {
    return undefined;
  }
}

const isComplete = {
  png: (bytes: Buffer) => bytes.subarray(-64).includes('IEND'),
  jpg: (bytes: Buffer) => bytes.includes(Buffer.from([0xff, 0xd9])),
  webp: (bytes: Buffer) => bytes.length >= bytes.readUInt32LE(4) + 8,
};
