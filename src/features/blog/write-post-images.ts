import { readFileSync } from 'node:fs';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { cacheFolders, createCacheKey, getCachedOrCreate } from '../../core/build-cache.ts';
import { BuildError } from '../../core/content/build-error.ts';
import type { GeneratedFile } from '../../core/content/build-part.ts';
import type { Post, PostImage } from './blog-types.ts';

export function listPostImages(posts: Post[]): GeneratedFile[] {
  const files = new Map<string, GeneratedFile>();
  for (const { file: post, images } of posts) {
    for (const { file, line, variants } of images) {
      for (const variant of variants) {
        const make = () =>
          encodeImage(file, variant).catch(error => {
            throw new BuildError({
              place: { file: `content/${post}`, line },
              reason: `shows a picture that cannot be drawn (${error.message})`,
            });
          });
        files.set(variant.path, { path: variant.path, kind: 'picture', make });
      }
    }
  }
  return [...files.values()];
}

type Variant = PostImage['variants'][number];

const drawingCode = [readFileSync(import.meta.filename, 'utf8')];

const quality = 82;

function encodeImage(file: string, { path, width, height }: Variant): Promise<Buffer> {
  return getCachedOrCreate(cacheFolders.images, createCacheKey(path, ...drawingCode), async () => {
    const image = await loadImage(readFileSync(file));
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return canvas.encode('webp', quality);
  });
}

/** Whether the build could draw it: a file may begin like an image and contain none. */
export async function isDrawable(bytes: Uint8Array): Promise<boolean> {
  return loadImage(Buffer.from(bytes)).then(
    () => true,
    () => false,
  );
}
