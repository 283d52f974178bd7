import { join } from 'node:path';
import type { Paragraph } from 'mdast';
import { clip } from '../fields.ts';
import { type ProseNode, type ProseTools, toSlug } from '../prose.ts';
import { readPictureFile } from './picture-file.ts';
import type { PostPicture } from './types.ts';

/** The reading column on a desktop at double density, and on a phone. */
const widths = [1600, 800];
/** The limit of WebP. */
const tallest = 16_383;
/** Part of the addresses, which are cached for ever: change it when pictures are made differently. */
const round = '1';

export const imagesPath = '/blog/images/';

export function createPictures(folder: string) {
  const pictures: PostPicture[] = [];

  return {
    listed: () => pictures,
    convert(node: Paragraph, { refuse }: ProseTools): ProseNode[] | undefined {
      const [image, ...others] = node.children;
      if (image?.type !== 'image' || others.length > 0) return undefined;
      const { url, alt = '', title } = image;
      if (!/^[\w-][\w.-]*\.(png|jpe?g|webp|svg|gif)$/i.test(url))
        return refuse(
          image,
          `shows '${clip(url)}'; a picture is a PNG, JPEG or WebP beside the post, its name of letters, digits and hyphens`,
        );
      if (!alt?.trim())
        return refuse(image, `shows ${url} without saying what is on it; write ![what is on it](${url})`);
      const file = join(folder, url);
      const read = readPictureFile(file);
      if ('reason' in read) return refuse(image, `shows ${url}, which ${read.reason}`);
      const addresses = plan(url, read.digest, read.width, read.height);
      if (addresses.some(({ height }) => height > tallest))
        return refuse(
          image,
          `shows ${url}, which is ${read.width} × ${read.height} pixels, too tall for one picture`,
        );
      pictures.push({ file, line: image.position?.start.line ?? 1, addresses });
      const shown: ProseNode = ['img', attributesOf(addresses, alt.trim(), pictures.length > 1)];
      return [['figure', {}, shown, ...(title ? [['figcaption', {}, title] as ProseNode] : [])]];
    },
  };
}

type Address = PostPicture['addresses'][number];

function plan(name: string, digest: string, width: number, height: number): Address[] {
  const stem = toSlug(name.replace(/\.\w+$/, ''));
  const whole = Math.min(width, widths[0] ?? width);
  return [whole, ...widths.slice(1).filter(less => less < whole)].map(wide => ({
    path: `${imagesPath}${stem}-${digest}${round}${wide === whole ? '' : `-${wide}`}.webp`,
    width: wide,
    height: Math.max(1, Math.round((height * wide) / width)),
  }));
}

function attributesOf(addresses: Address[], alt: string, isLater: boolean): Record<string, string> {
  const [whole] = addresses;
  if (!whole) return {};
  const srcset = addresses.map(({ path, width }) => `${path} ${width}w`).join(', ');
  return {
    src: whole.path,
    ...(addresses.length > 1 && { srcset, sizes: '(min-width: 48rem) 44rem, 100vw' }),
    alt,
    width: String(whole.width),
    height: String(whole.height),
    ...(isLater && { loading: 'lazy' }),
    decoding: 'async',
  };
}
