import { readFileSync } from 'node:fs';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { PostPicture } from '../../content/blog/types.ts';
import { keepMade, keptFolders, keyOf } from '../kept.ts';

type Address = PostPicture['addresses'][number];

/** The code that draws. */
const means = [readFileSync(import.meta.filename, 'utf8')];

/** Good enough for photographs and for the edges of letters in screenshots. */
const quality = 82;

/** A picture of a post in one of its sizes, drawn anew: upright, as WebP, and with nothing that its camera wrote into it. */
export function makePicture(file: string, { path, width, height }: Address): Promise<Buffer> {
  // Its address is made of what the file holds.
  return keepMade(keptFolders.images, keyOf(path, ...means), async () => {
    const image = await loadImage(readFileSync(file));
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return canvas.encode('webp', quality);
  });
}
