import { join } from 'node:path';
import type { Paragraph } from 'mdast';
import { clip } from '../fields.ts';
import { type ProseNode, type ProseTools, toSlug } from '../prose.ts';
import type { PostImage } from './blog-types.ts';
import { readImageFile } from './read-image-file.ts';

/** The reading column on a desktop at double density, and on a phone. */
const widths = [1600, 800];
/** The limit of the WebP format. */
const maxHeight = 16_383;
/** Part of the URLs, which are cached for ever: change it when images are encoded differently. */
const formatVersion = '1';

export const imagesPath = '/blog/images/';

export function createImageCollector(folder: string) {
  const images: PostImage[] = [];

  return {
    list: () => images,
    convert(node: Paragraph, { refuse }: ProseTools): ProseNode[] | undefined {
      const [image, ...others] = node.children;
      if (image?.type !== 'image' || others.length > 0) return undefined;
      const { url, alt = '', title } = image;
      if (!/^[\w-][\w.-]*\.(png|jpe?g|webp|svg|gif)$/i.test(url))
        return refuse(
          image,
          `shows '${clip(url)}'; a picture must be a PNG, JPEG or WebP beside the post, named with letters, digits and hyphens`,
        );
      if (!alt?.trim())
        return refuse(image, `shows ${url} without a description; write ![description](${url})`);
      const file = join(folder, url);
      const read = readImageFile(file);
      if ('reason' in read) return refuse(image, `shows ${url}, which ${read.reason}`);
      const variants = planVariants(url, read.digest, read.width, read.height);
      if (variants.some(({ height }) => height > maxHeight))
        return refuse(
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

function planVariants(name: string, digest: string, width: number, height: number): Variant[] {
  const stem = toSlug(name.replace(/\.\w+$/, ''));
  const full = Math.min(width, widths[0] ?? width);
  return [full, ...widths.slice(1).filter(width => width < full)].map(wide => ({
    path: `${imagesPath}${stem}-${digest}${formatVersion}${wide === full ? '' : `-${wide}`}.webp`,
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
